import { describe, expect, it } from '@jest/globals';
import { redact, redactDeep } from './redact.js';

// Put together here, so that no scanner takes this file for a leak.
const SECRET = `rag_live_${'a1'.repeat(24)}`;

describe(redact.name, () => {
  it.each([
    [`key ${SECRET}.`, 'key rag_live_[redacted].'],
    [`token rag_agent_${'x-_'.repeat(5)} ends`, 'token rag_agent_[redacted] ends'],
    [`token rag_client_${'eyJ.x-_'.repeat(5)} ends`, 'token rag_client_[redacted] ends'],
    [`cut short: ${SECRET.slice(0, 20)}`, 'cut short: rag_live_[redacted]'],
    ['authorization: bearer abc.def-ghi==', 'authorization: Bearer [redacted]'],
    ['postgres://app:pa:ss@db:5432/x', 'postgres://app:[redacted]@db:5432/x'],
    ['to postgres://app:p@ss@db/x failed', 'to postgres://app:[redacted]@ss@db/x failed'],
    ['rag_live_8fJ2kQ9xZ is too short', 'rag_live_8fJ2kQ9xZ is too short'],
    ['secret whsec_c2VjcmV0+/8=.', 'secret whsec_[redacted].'],
    [`token ${['xoxb', '12', '34', 'aB9'].join('-')} ends`, 'token xox_[redacted] ends'],
    ['authorization: DPoP abc.def-ghi_jkl~mno==', 'authorization: DPoP [redacted]'],
    ['mail bob@example.com', 'mail bob@example.com'],
  ])('%s', (text, expected) => {
    expect(redact(text)).toBe(expected);
  });

  it('takes time in proportion to the text', () => {
    const start = Date.now();
    redact(`${'a:'.repeat(200_000)}@${'@'.repeat(200_000)}`);
    expect(Date.now() - start).toBeLessThan(1000);
  });
});

describe(redactDeep.name, () => {
  it('replaces fields with the name of a secret, and secrets within text, at any depth', () => {
    const date = new Date(0);
    expect(
      redactDeep({ Api_Key: 1, list: [{ password: 'x', text: `a ${SECRET}` }], date, none: null }),
    ).toEqual({
      Api_Key: '[redacted]',
      list: [{ password: '[redacted]', text: 'a rag_live_[redacted]' }],
      date,
      none: null,
    });
  });

  it('ends where a value refers to itself', () => {
    const value: Record<string, unknown> = {};
    value['self'] = value;
    expect(JSON.stringify(redactDeep(value))).toContain('[deep]');
  });

  it('keeps of an error its message, stack, code and cause', () => {
    const cause = Object.assign(new Error(`no ${SECRET}`), { parameters: [SECRET] });
    const error = Object.assign(new Error('failed', { cause }), { code: 'E1', query: SECRET });
    expect(redactDeep(error)).toEqual({
      type: 'Error',
      message: 'failed',
      stack: expect.any(String),
      code: 'E1',
      cause: { type: 'Error', message: 'no rag_live_[redacted]', stack: expect.any(String) },
    });
  });
});

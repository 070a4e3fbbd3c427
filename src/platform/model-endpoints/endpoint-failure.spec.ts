import { describe, expect, it } from '@jest/globals';
import { APIConnectionError, APIConnectionTimeoutError, APIError, APIUserAbortError } from 'openai';
import { describeFailure } from './endpoint-failure.js';

const LEAK = 'org-4711';
const url = 'https://user:pass@models.example.com:8443/v1?token=secret';
const describeIt = (error: unknown) => describeFailure(error, { baseUrl: url, variables: 'LLM' });
const withCode = (code: string) => Object.assign(new Error(`connect ${code} ${LEAK}`), { code });
/** As fetch and the client wrap what the system says. */
const unconnected = (cause: Error) =>
  new APIConnectionError({ cause: new TypeError('fetch failed', { cause }) });
const answered = (status: number | undefined) =>
  APIError.generate(
    status,
    { message: LEAK, code: 'ECONNREFUSED' },
    LEAK,
    new Headers({ 'x-leak': LEAK }),
  );

describe('a failure of an endpoint', () => {
  it.each([
    [unconnected(withCode('ECONNREFUSED')), 'does not answer: ECONNREFUSED, nothing listens there'],
    [unconnected(withCode('ENOTFOUND')), 'does not answer: ENOTFOUND, no such host name'],
    [unconnected(withCode('EAI_AGAIN')), 'does not answer: EAI_AGAIN, DNS lookup failed'],
    [unconnected(withCode('EHOSTUNREACH')), 'does not answer: EHOSTUNREACH, host unreachable'],
    [
      unconnected(withCode('UND_ERR_CONNECT_TIMEOUT')),
      'does not answer: UND_ERR_CONNECT_TIMEOUT, no connection in time',
    ],
    [
      unconnected(withCode('CERT_HAS_EXPIRED')),
      'does not answer: CERT_HAS_EXPIRED, its certificate is not trusted',
    ],
    [
      // Both addresses of a name.
      unconnected(
        Object.assign(new AggregateError([withCode('ECONNREFUSED')]), { code: 'ECONNREFUSED' }),
      ),
      'does not answer: ECONNREFUSED, nothing listens there',
    ],
    [
      new TypeError('terminated', { cause: withCode('UND_ERR_SOCKET') }),
      'does not answer: UND_ERR_SOCKET, the connection was cut',
    ],
    [unconnected(withCode('EPROTO')), 'does not answer: EPROTO'],
    [new APIConnectionTimeoutError(), 'does not answer in time'],
    [new APIUserAbortError(), 'does not answer in time'],
    [answered(401), 'refuses LLM_API_KEY (401)'],
    [answered(403), 'refuses LLM_API_KEY (403)'],
    [answered(404), 'answers 404: the path of LLM_BASE_URL or LLM_MODEL is unknown there'],
    [answered(500), 'answers 500'],
    [answered(undefined), 'does not give a complete answer'],
    [new SyntaxError(LEAK), 'does not give a complete answer'],
    [LEAK, 'does not give a complete answer'],
  ])('%s', (error, words) => {
    expect(describeIt(error)).toBe(`models.example.com:8443 ${words}`);
  });
});

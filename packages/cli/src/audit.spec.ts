import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { addHead, verifyAudit } from './audit.js';

const KEY = Buffer.alloc(32, 7);
const folder = mkdtempSync(join(tmpdir(), 'latchkey-audit-'));
const printed = jest.spyOn(console, 'log').mockImplementation(() => undefined);

beforeAll(() => {
  process.env['LATCHKEY_AUDIT_KEYS'] = `p1:${KEY.toString('base64')}`;
});
afterAll(() => {
  delete process.env['LATCHKEY_AUDIT_KEYS'];
  printed.mockRestore();
  rmSync(folder, { recursive: true });
});

/** Lines as a service seals them, and the head of each. */
function chainOf(chain: string, length: number, time: number) {
  const lines: string[] = [];
  const heads: string[] = [];
  let hash = '';
  for (let sequence = 1; sequence <= length; sequence++) {
    const unmapped = { chain_id: chain, key_id: 'p1', prev_hash: hash };
    const line = { category_uid: 3, time: time + sequence, metadata: { sequence }, unmapped };
    const open = JSON.stringify(line).slice(0, -2);
    hash = createHmac('sha256', KEY).update(open).digest('hex');
    lines.push(`${open},"hash":"${hash}"}}`);
    heads.push(`${sequence}:${hash}`);
  }
  return { lines, head: heads.at(-1) ?? '', heads };
}

/** @returns what is wrong; undefined if nothing is */
async function complaint(chains: readonly (readonly string[])[], ...heads: string[]) {
  const files = chains.map((lines, index) => {
    const file = join(folder, `${index}.jsonl`);
    writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
    return file;
  });
  const head = heads.reduce<ReturnType<typeof addHead>>((all, text) => addHead(text, all), []);
  try {
    await verifyAudit(files, heads.length > 0 ? { head } : {});
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

describe('several chains', () => {
  const first = chainOf('11111111-aaaa', 60, 1000);
  const second = chainOf('22222222-bbbb', 5, 2000);
  const third = chainOf('33333333-cccc', 60, 3000);
  const all = [first.lines, second.lines, third.lines];

  it('are whole with a head of each, in any order, with or without its chain', async () => {
    expect(await complaint(all, first.head, second.head, third.head)).toBeUndefined();
    const named = `33333333-cccc:${third.head}`;
    expect(await complaint(all, named, second.head, first.head)).toBeUndefined();
    expect(await complaint(all)).toBeUndefined();
  });

  it('have no end that is cut off unseen', async () => {
    const cut = [first.lines.slice(0, 10), second.lines, third.lines];
    expect(await complaint(cut, third.head)).toMatch(/chain 11111111-aaaa has no --head/);
    expect(await complaint(cut, first.head, second.head, third.head)).toMatch(/cut off|another/);
    const cutInside = [first.lines, second.lines.slice(0, 4), third.lines];
    expect(await complaint(cutInside, first.head, third.head)).toMatch(
      /wrong from line 5 .*chain 22222222-bbbb has no --head/,
    );
    expect(await complaint(cutInside, first.head, second.head, third.head)).toMatch(
      /another one|cut off/,
    );
    const cutLast = [first.lines, second.lines, third.lines.slice(0, 59)];
    expect(await complaint(cutLast, first.head, second.head, third.head)).toMatch(
      /another|cut off/,
    );
  });

  it('are not left out whole', async () => {
    const without = [first.lines, third.lines];
    expect(await complaint(without, first.head, second.head, third.head)).toMatch(
      /wrong from line 5/,
    );
  });

  it('do not take the head of another chain', async () => {
    const named = `22222222-bbbb:${first.head}`;
    expect(await complaint([first.lines], named)).toMatch(/cut off/);
  });

  it('may go on after their heads', async () => {
    expect(await complaint([first.lines], first.heads[20] ?? '')).toBeUndefined();
  });
});

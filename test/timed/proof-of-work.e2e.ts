import { createHash } from 'node:crypto';
import { build } from 'esbuild';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { hasChromium, openBrowser } from '../support/browser.js';
import { tool } from '../support/requirement.js';

const BITS = 16;
/** A phone is about so many times slower than this machine. */
const SLOWDOWN = 4;
const ROUNDS = 10;
const SALT = `${'a'.repeat(24)}?expires=1893456000&site=site_01kafdp6ygf4rs4s2cr5cvzwkc`;

interface Work {
  readonly ms: number;
  /** The times in which the page could do nothing else. */
  readonly pauses: number[];
}

tool('Chromium', hasChromium).describe('the proof of work of a visitor', () => {
  let browser: Browser;
  let script: string;

  beforeAll(async () => {
    const contents = `import { solve } from './packages/widget/src/solve.ts'; window.solve = solve;`;
    const stdin = { contents, resolveDir: process.cwd(), loader: 'ts' } as const;
    const { outputFiles } = await build({ stdin, bundle: true, write: false, minify: true });
    script = outputFiles[0]?.text ?? '';
    browser = await openBrowser();
  });

  afterAll(() => browser.close());

  const work = async (number: number): Promise<Work> => {
    const page = await browser.newPage();
    const session = await page.context().newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
    await page.evaluate(script);
    const challenge = createHash('sha256').update(`${SALT}${number}`).digest('hex');
    const given = { algorithm: 'SHA-256', challenge, maxnumber: 2 ** BITS, salt: SALT };
    const done = await page.evaluate<Work>(`(async () => {
      const turns = [performance.now()];
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        turns.push(performance.now());
        port2.postMessage(null);
      };
      port2.postMessage(null);
      const began = performance.now();
      await solve(${JSON.stringify(given)});
      const ms = performance.now() - began;
      port1.close();
      return { ms, pauses: turns.slice(1).map((turn, index) => turn - turns[index]) };
    })()`);
    await page.close();
    return done;
  };

  it('costs a phone less than half a second, in which its page goes on', async () => {
    const done: Work[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      done.push(await work(Math.floor(((round + 0.5) / ROUNDS) * 2 ** BITS)));
    }
    const mean = done.reduce((sum, { ms }) => sum + ms, 0) / ROUNDS;
    const pauses = done.flatMap((one) => one.pauses).sort((a, b) => a - b);
    // A machine that does something else makes single pauses longer.
    const usual = pauses[Math.floor(pauses.length * 0.95)] ?? 0;
    console.log(`${Math.round(mean)} ms on average, pauses of ${usual.toFixed(1)} ms`);
    expect(mean).toBeLessThan(500);
    expect(usual).toBeLessThan(50);
  });
});

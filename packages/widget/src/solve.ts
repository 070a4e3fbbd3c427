import { fromHex, Sha256 } from './sha256.js';

/** A challenge in the form of ALTCHA. */
export interface Challenge {
  readonly algorithm: string;
  readonly challenge: string;
  readonly maxnumber: number;
  readonly salt: string;
  readonly signature: string;
}

/** The page can do something else after this many milliseconds. */
const SLICE_MS = 12;
const HASHES_AT_ONCE = 100;

const nextTurn = () =>
  new Promise<void>((resolve) => {
    // A timer would wait, and for a second in a tab that is not seen.
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });

/**
 * Finds the number that a challenge asks for, in slices between which the page goes on: workers are forbidden by many
 * pages' policies, and slices are as fast.
 *
 * @returns the solution as Base64
 * @throws Error if there is none
 */
export async function solve(challenge: Challenge): Promise<string> {
  const { salt, maxnumber } = challenge;
  const wanted = fromHex(challenge.challenge);
  const hash = new Sha256(salt);
  let pause = performance.now() + SLICE_MS;
  for (let number = 0; number <= maxnumber; number++) {
    const digest = hash.digest(String(number));
    if (digest[0] === wanted[0] && wanted.every((word, index) => digest[index] === word)) {
      return encode(challenge, number);
    }
    if (number % HASHES_AT_ONCE === 0 && performance.now() > pause) {
      await nextTurn();
      pause = performance.now() + SLICE_MS;
    }
  }
  throw new Error('The challenge has no solution');
}

const encode = ({ algorithm, challenge, salt, signature }: Challenge, number: number) =>
  btoa(JSON.stringify({ algorithm, challenge, number, salt, signature }));

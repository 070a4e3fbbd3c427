const K = new Uint32Array(64);
const START = new Uint32Array(8);

/** The first 32 bits of the fractional part. */
const fraction = (value: number) => ((value - Math.floor(value)) * 2 ** 32) >>> 0;

// The constants of SHA-256 come from the roots of the first 64 primes.
for (let candidate = 2, count = 0; count < 64; candidate++) {
  let isPrime = true;
  for (let divisor = 2; divisor * divisor <= candidate; divisor++) {
    if (candidate % divisor === 0) isPrime = false;
  }
  if (!isPrime) continue;
  if (count < 8) START[count] = fraction(Math.sqrt(candidate));
  K[count++] = fraction(Math.cbrt(candidate));
}

const rotate = (value: number, by: number) => (value >>> by) | (value << (32 - by));

/**
 * SHA-256 without waiting: `crypto.subtle` takes a turn of the event loop for each of thousands of hashes, and is missing
 * on pages without https.
 *
 * @param text of ASCII characters
 * @returns lower-case hexadecimal
 */
export function sha256(text: string): string {
  const { length } = text;
  const blocks = (length + 72) >> 6;
  const words = new Uint32Array(blocks * 16);
  const put = (index: number, byte: number) => {
    words[index >> 2] = (words[index >> 2] ?? 0) | (byte << (24 - (index & 3) * 8));
  };
  for (let index = 0; index < length; index++) put(index, text.charCodeAt(index) & 255);
  put(length, 128);
  words[words.length - 1] = length * 8;
  const state = START.slice();
  const w = new Uint32Array(64);
  for (let block = 0; block < words.length; block += 16) {
    mix(state, w, words.subarray(block, block + 16));
  }
  return [...state].map((word) => word.toString(16).padStart(8, '0')).join('');
}

/* eslint-disable @typescript-eslint/no-non-null-assertion -- every index is within its array */
function mix(state: Uint32Array, w: Uint32Array, block: Uint32Array): void {
  w.set(block);
  for (let i = 16; i < 64; i++) {
    const one = w[i - 15]!;
    const two = w[i - 2]!;
    const s0 = rotate(one, 7) ^ rotate(one, 18) ^ (one >>> 3);
    const s1 = rotate(two, 17) ^ rotate(two, 19) ^ (two >>> 10);
    w[i] = w[i - 16]! + s0 + w[i - 7]! + s1;
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [
    ...[number, number, number, number],
    ...[number, number, number, number],
  ];
  for (let i = 0; i < 64; i++) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + K[i]! + w[i]!) | 0;
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
  }
  for (const [index, value] of [a, b, c, d, e, f, g, h].entries()) state[index]! += value;
}

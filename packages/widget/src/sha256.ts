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

const BLOCK = 64;
const LENGTH_BYTES = 8;

/**
 * SHA-256 of many texts with the same beginning, without waiting: `crypto.subtle` takes a turn of the event loop for each
 * of thousands of hashes, and is missing on pages without https. The blocks that only hold the beginning are hashed once.
 */
export class Sha256 {
  private readonly schedule = new Uint32Array(64);
  private readonly begun = START.slice();
  private readonly state = new Uint32Array(8);
  private readonly rest: string;

  /** @param prefix of ASCII characters, as all texts here */
  constructor(private readonly prefix: string) {
    const whole = prefix.length - (prefix.length % BLOCK);
    for (let at = 0; at < whole; at += BLOCK) {
      this.fill(prefix, at);
      mix(this.begun, this.schedule);
    }
    this.rest = prefix.slice(whole);
  }

  /** @returns the eight words of the hash of the prefix and the text, which the next call overwrites */
  digest(text: string): Uint32Array {
    const { state, schedule } = this;
    state.set(this.begun);
    const last = this.rest + text;
    const padded = Math.ceil((last.length + 1 + LENGTH_BYTES) / BLOCK) * BLOCK;
    for (let at = 0; at < padded; at += BLOCK) {
      this.fill(last, at);
      if (at + BLOCK === padded) schedule[15] = (this.prefix.length + text.length) * 8;
      mix(state, schedule);
    }
    return state;
  }

  /** Sets the first 16 words from the characters, the bit that ends the text, and zeros. */
  private fill(text: string, start: number): void {
    for (let word = 0; word < 16; word++) {
      let value = 0;
      for (let index = start + word * 4; index < start + word * 4 + 4; index++) {
        const end = index === text.length ? 128 : 0;
        value = (value << 8) | (index < text.length ? text.charCodeAt(index) & 255 : end);
      }
      this.schedule[word] = value;
    }
  }
}

/** The eight words that lower-case hexadecimal stands for. */
export const fromHex = (hex: string): number[] =>
  (hex.match(/.{8}/g) ?? []).map((word) => Number.parseInt(word, 16));

/* eslint-disable @typescript-eslint/no-non-null-assertion -- every index is within its array */
function mix(state: Uint32Array, w: Uint32Array): void {
  for (let i = 16; i < 64; i++) {
    const x = w[i - 15]!;
    const y = w[i - 2]!;
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
    w[i] = (w[i - 16]! + s0 + w[i - 7]! + s1) | 0;
  }
  let a = state[0]! | 0;
  let b = state[1]! | 0;
  let c = state[2]! | 0;
  let d = state[3]! | 0;
  let e = state[4]! | 0;
  let f = state[5]! | 0;
  let g = state[6]! | 0;
  let h = state[7]! | 0;
  for (let i = 0; i < 64; i++) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + K[i]! + w[i]!) | 0;
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  state[0]! += a;
  state[1]! += b;
  state[2]! += c;
  state[3]! += d;
  state[4]! += e;
  state[5]! += f;
  state[6]! += g;
  state[7]! += h;
}

/**
 * A WebAssembly module, which counts the bits of 64-bit words and so takes a third of the time. The source:
 *
 * ```wat
 * (module
 *   (memory (export "memory") 16)
 *   ;; Of `count` codes, of `bytes` bytes each, those that are near the one at 0, with which as many bytes
 *   ;; lie behind it of the bits that count thrice. The codes follow, then what is found: for each two numbers of 16
 *   ;; bits, its place and its distance, at most `most`. Returns their end.
 *   (func (export "nearer") (param $count i32) (param $bytes i32) (param $most i32) (param $to i32) (result i32)
 *     (local $code i32) (local $place i32) (local $at i32) (local $bits i64) (local $sum i64)
 *     (local.set $code (i32.shl (local.get $bytes) (i32.const 1)))
 *     (block $done
 *       (loop $codes
 *         (br_if $done (i32.eq (local.get $place) (local.get $count)))
 *         (local.set $at (i32.const 0))
 *         (local.set $sum (i64.const 0))
 *         (loop $words
 *           (local.set $bits (i64.xor (i64.load (local.get $at)) (i64.load (local.get $code))))
 *           (local.set $sum (i64.add (local.get $sum) (i64.add
 *             (i64.popcnt (local.get $bits))
 *             (i64.shl (i64.popcnt (i64.and (local.get $bits)
 *               (i64.load (i32.add (local.get $at) (local.get $bytes))))) (i64.const 1)))))
 *           (local.set $code (i32.add (local.get $code) (i32.const 8)))
 *           (br_if $words (i32.lt_u
 *             (local.tee $at (i32.add (local.get $at) (i32.const 8))) (local.get $bytes))))
 *         (i32.store16 (local.get $to) (local.get $place))
 *         (i64.store16 offset=2 (local.get $to) (local.get $sum))
 *         (local.set $to (i32.add (local.get $to) (i32.shl
 *           (i64.le_u (local.get $sum) (i64.extend_i32_u (local.get $most))) (i32.const 2))))
 *         (local.set $place (i32.add (local.get $place) (i32.const 1)))
 *         (br $codes)))
 *     (local.get $to)))
 * ```
 */
const MODULE =
  'AGFzbQEAAAABCQFgBH9/f38BfwMCAQAFAwEAEAcTAgZtZW1vcnkCAAZuZWFyZXIAAAqHAQGEAQIDfwJ+IAFBAXQhBAJAA0AgBSAARg0BQQAhBkIAIQgDQCAGKQMAIAQpAwCFIQcgCCAHeyAHIAYgAWopAwCDe0IBhnx8IQggBEEIaiEEIAZBCGoiBiABSQ0ACyADIAU7AQAgAyAIPQECIAMgCCACrVhBAnRqIQMgBUEBaiEFDAALCyADCw==';

interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly nearer: (count: number, bytes: number, most: number, to: number) => number;
}

/** The types of Node.js lack WebAssembly. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: Exports };
};

const { memory, nearer } = new WebAssembly.Instance(
  new WebAssembly.Module(Buffer.from(MODULE, 'base64')),
).exports;
const FOUND_BYTES = 4;

/** The number of codes that fit into the memory, together with the results and the code to compare with. */
export const getMaxCodes = (words: number): number =>
  Math.min(2 ** 16, Math.floor(memory.buffer.byteLength / (words * 4 + FOUND_BYTES)) - 2);

/**
 * Finds the codes that differ from another one in at most `most` bits, some of which count thrice.
 *
 * @param code of an even number of words
 * @param thrice the bits that count thrice, of the same length
 * @param codes one after the other, at most `getMaxCodes`
 * @returns for each its position and the number of different bits; valid until the next call
 */
export function findNearCodes(
  code: Int32Array,
  thrice: Int32Array,
  codes: Int32Array,
  most: number,
): Uint16Array {
  const words = new Int32Array(memory.buffer);
  words.set(code);
  words.set(thrice, code.length);
  words.set(codes, 2 * code.length);
  const count = codes.length / code.length;
  const start = (count + 2) * code.byteLength;
  const end = nearer(count, code.byteLength, most, start);
  return new Uint16Array(memory.buffer, start, (end - start) / Uint16Array.BYTES_PER_ELEMENT);
}

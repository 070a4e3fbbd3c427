/**
 * The vectors of a passage's windows as they are stored: one byte for each number with one scale for each vector,
 * and a code of two bits for each number, by which the nearest windows are found.
 */
export interface StoredWindows {
  /** The places of the windows: two 32-bit numbers each, `start` and `end`. */
  readonly places: Uint8Array;
  /** The codes, one after the other. */
  readonly codes: Uint8Array;
  /** The vectors: each has a 32-bit float, the scale, and a signed byte for each number. */
  readonly vectors: Uint8Array;
}

export interface WindowVector {
  readonly start: number;
  readonly end: number;
  readonly vector: Float32Array;
}

const PLACE_BYTES = 8;
const SCALE_BYTES = 4;
const MAX_BYTE = 127;
const WORD_BITS = 32;
/** The share of a vector's numbers that are stored as 3 or -3; about this share is larger than the mean. */
const LARGE_SHARE = 1 / 3;

/** Serializes windows, whose vectors must be of one model and so have the same length. */
export function storeWindows(windows: readonly WindowVector[]): StoredWindows {
  const dimension = windows[0]?.vector.length ?? 0;
  const places = new DataView(new ArrayBuffer(windows.length * PLACE_BYTES));
  const stride = SCALE_BYTES + dimension;
  const vectors = new DataView(new ArrayBuffer(windows.length * stride));
  for (const [index, { start, end, vector }] of windows.entries()) {
    places.setUint32(index * PLACE_BYTES, start, true);
    places.setUint32(index * PLACE_BYTES + 4, end, true);
    const { scale, values } = toBytes(vector);
    vectors.setFloat32(index * stride, scale, true);
    for (const [at, value] of values.entries()) {
      vectors.setInt8(index * stride + SCALE_BYTES + at, value);
    }
  }
  const codes = windows.map(({ vector }) => new Uint8Array(encodeVector(vector).buffer));
  return {
    places: new Uint8Array(places.buffer),
    codes: Buffer.concat(codes),
    vectors: new Uint8Array(vectors.buffer),
  };
}

/** Converts each number of a vector to a signed byte, with a common scale. */
export function toBytes(vector: Float32Array) {
  const scale = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / MAX_BYTE;
  const values = Int8Array.from(vector, (value) => (scale > 0 ? Math.round(value / scale) : 0));
  return { scale, values };
}

/** The bytes of each stored vector, without its scale. */
export function readStoredBytes(vectors: Uint8Array, count: number): Int8Array[] {
  const stride = vectors.byteLength / count;
  return Array.from(
    { length: count },
    (_, index) =>
      new Int8Array(
        vectors.buffer,
        vectors.byteOffset + index * stride + SCALE_BYTES,
        stride - SCALE_BYTES,
      ),
  );
}

export interface WindowSimilarity {
  readonly start: number;
  readonly end: number;
  /** The similarity to each of the given vectors. */
  readonly similarities: readonly number[];
}

/** Computes the similarity of each window of a passage to each of some vectors. */
export function compareWindows(
  { places, vectors }: Omit<StoredWindows, 'codes'>,
  to: readonly Float32Array[],
): WindowSimilarity[] {
  const count = places.byteLength / PLACE_BYTES;
  const stride = vectors.byteLength / count;
  const dimension = stride - SCALE_BYTES;
  const place = new DataView(places.buffer, places.byteOffset, places.byteLength);
  const scales = new DataView(vectors.buffer, vectors.byteOffset, vectors.byteLength);
  const bytes = new Int8Array(vectors.buffer, vectors.byteOffset, vectors.byteLength);
  return Array.from({ length: count }, (_, index) => {
    const offset = index * stride + SCALE_BYTES;
    const scale = scales.getFloat32(index * stride, true);
    return {
      start: place.getUint32(index * PLACE_BYTES, true),
      end: place.getUint32(index * PLACE_BYTES + 4, true),
      similarities: to.map((vector) => {
        if (vector.length !== dimension) return -1;
        let sum = 0;
        for (let at = 0; at < dimension; at++) sum += (vector[at] ?? 0) * (bytes[offset + at] ?? 0);
        return sum * scale;
      }),
    };
  });
}

/**
 * Encodes a vector with two bits for each number, which stand for -3, -1, 1 and 3: first which numbers are
 * positive, then which are the higher value of their sign. Each part is an even number of 32-bit words.
 */
export function encodeVector(vector: Float32Array): Int32Array<ArrayBuffer> {
  const sizes = vector.map(Math.abs).sort();
  // Each vector gets the same number of large ones, so that all codes have the same length and are comparable.
  const large = sizes[Math.floor(sizes.length * (1 - LARGE_SHARE))] ?? 0;
  const words = countCodeWords(vector.length);
  const code = new Int32Array(2 * words);
  const set = (start: number, index: number) => {
    const word = start + Math.floor(index / WORD_BITS);
    code[word] = (code[word] ?? 0) | (1 << (index % WORD_BITS));
  };
  for (const [index, value] of vector.entries()) {
    const isPositive = value > 0;
    if (isPositive) set(0, index);
    if (isPositive === Math.abs(value) >= large) set(words, index);
  }
  return code;
}

const countCodeWords = (dimension: number): number => 2 * Math.ceil(dimension / (2 * WORD_BITS));

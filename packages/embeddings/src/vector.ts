/** The stored form in both databases: four bytes a number, as sqlite-vec reads them. */
export const vectorBytes = (vector: Float32Array): Buffer =>
  Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);

export const readVector = (bytes: Uint8Array): Float32Array =>
  // A Float32Array must begin at a multiple of four bytes, so the bytes are copied.
  new Float32Array(new Uint8Array(bytes).buffer);

/** One bit for each number: whether it is above zero. Similar vectors differ in few bits. */
export const vectorSigns = (vector: Float32Array): string =>
  Array.from(vector, (value) => (value > 0 ? '1' : '0')).join('');

/** A vector in the text format of pgvector. */
export const vectorText = (vector: Float32Array): string => `[${vector.join(',')}]`;

/** The cosine similarity of vectors of length 1. */
export const cosineSimilarity = (one: Float32Array, other: Float32Array): number =>
  one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0);

/**
 * Scales a vector to length 1, so that the product of two is their cosine similarity.
 *
 * @throws Error for a vector that has no direction
 */
export function normalize(values: ArrayLike<number>): Float32Array {
  const vector = Float32Array.from(values);
  const length = Math.hypot(...vector);
  if (vector.length === 0 || !Number.isFinite(length) || length === 0) {
    throw new Error('A vector is empty, zero or not finite');
  }
  return vector.map((value) => value / length);
}

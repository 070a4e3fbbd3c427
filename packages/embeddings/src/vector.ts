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

/** The cosine similarity of vectors of length 1. */
export const cosineSimilarity = (one: Float32Array, other: Float32Array): number =>
  one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0);

/** The direction between two vectors, nearer to the one that weighs more; if only one is given, that one. */
export function blend(
  one: Float32Array | undefined,
  other: Float32Array | undefined,
  share: number,
): Float32Array | undefined {
  if (!one || !other || one === other || one.length !== other.length) return one ?? other;
  const sum = one.map((value, index) => share * value + (1 - share) * (other[index] ?? 0));
  // The sum of opposite vectors may be zero.
  return sum.some((value) => value !== 0) ? normalize(sum) : one;
}

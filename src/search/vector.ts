/** As both databases keep it: four bytes a number, as sqlite-vec reads them. */
export const vectorBytes = (vector: Float32Array): Buffer =>
  Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);

export const readVector = (bytes: Uint8Array): Float32Array =>
  // Copied, since they may begin at any byte.
  new Float32Array(new Uint8Array(bytes).buffer);

/** A bit for each number, whether it is above zero: near vectors differ in few. */
export const vectorSigns = (vector: Float32Array): string =>
  Array.from(vector, (value) => (value > 0 ? '1' : '0')).join('');

/** Of vectors of length 1: 1 for the same direction, 0 for nothing in common. */
export const likeness = (one: Float32Array, other: Float32Array): number =>
  one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0);

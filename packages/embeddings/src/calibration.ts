import { normalize } from './vector.js';

/**
 * The part that all vectors of a multilingual model have in common, and the directions in which they differ by
 * language alone.
 *
 * The vectors of such a model lie close to each other, and those of one language closer still. So an unrelated
 * text in the language of a question can be nearer to it than the answer in another language. The common part
 * and these directions are removed, so that only meaning is compared.
 */
export interface Calibration {
  readonly center: readonly number[];
  /** Vectors of length 1, at right angles to each other. */
  readonly directions: readonly (readonly number[])[];
}

/** More directions would also remove meaning; measured on questions in other languages than the texts. */
const DIRECTIONS = 4;
/** The number of texts into which the stop words of a language are divided. */
const TEXTS_PER_LANGUAGE = 6;
const WORDS_PER_TEXT = 20;
const ITERATIONS = 100;

/**
 * Calibrates a model with texts without meaning: the stop words of many languages.
 *
 * @param stopWords by language
 * @param embed the vector of a passage
 */
export async function calibrate(
  stopWords: ReadonlyMap<string, readonly string[]>,
  embed: (text: string) => Promise<Float32Array>,
): Promise<Calibration> {
  const byLanguage: number[][] = [];
  for (const words of stopWords.values()) {
    const vectors: Float32Array[] = [];
    for (let text = 0; text < TEXTS_PER_LANGUAGE; text++) {
      const some = words.filter((_, index) => index % TEXTS_PER_LANGUAGE === text);
      if (some.length > 0) vectors.push(await embed(some.slice(0, WORDS_PER_TEXT).join(' ')));
    }
    byLanguage.push(computeMean(vectors));
  }
  const center = computeMean(byLanguage);
  const offsets = byLanguage.map((mean) => mean.map((value, index) => value - at(center, index)));
  return { center, directions: findPrincipalDirections(offsets, DIRECTIONS) };
}

/** @returns a vector of length 1 */
export function applyCalibration(
  { center, directions }: Calibration,
  vector: Float32Array,
): Float32Array {
  let rest = Array.from(vector, (value, index) => value - at(center, index));
  for (const direction of directions) rest = removeDirection(rest, direction);
  return normalize(rest);
}

/** The directions in which vectors differ most, by power iteration. */
function findPrincipalDirections(
  vectors: readonly (readonly number[])[],
  count: number,
): number[][] {
  const directions: number[][] = [];
  let left = vectors;
  while (directions.length < count) {
    // The longest remaining vector is a start that is not at right angles to all of them.
    const start = left.toSorted((one, other) => dot(other, other) - dot(one, one))[0];
    if (!start || dot(start, start) < 1e-9) break;
    let direction = toUnitVector(start);
    for (let step = 0; step < ITERATIONS; step++) {
      const products = left.map((vector) => dot(vector, direction));
      direction = toUnitVector(
        direction.map((_, index) =>
          left.reduce((sum, vector, one) => sum + at(products, one) * at(vector, index), 0),
        ),
      );
    }
    directions.push(direction);
    left = left.map((vector) => removeDirection(vector, direction));
  }
  return directions;
}

const at = (values: ArrayLike<number>, index: number): number => values[index] ?? 0;

const dot = (one: readonly number[], other: readonly number[]): number =>
  one.reduce((sum, value, index) => sum + value * at(other, index), 0);

const toUnitVector = (vector: readonly number[]): number[] => {
  const length = Math.sqrt(dot(vector, vector));
  return vector.map((value) => value / length);
};

const removeDirection = (vector: readonly number[], direction: readonly number[]): number[] => {
  const share = dot(vector, direction);
  return vector.map((value, index) => value - share * at(direction, index));
};

const computeMean = (vectors: readonly ArrayLike<number>[]): number[] =>
  Array.from(vectors[0] ?? [], (_, index) =>
    vectors.reduce((sum, vector) => sum + at(vector, index) / vectors.length, 0),
  );

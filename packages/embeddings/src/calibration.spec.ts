import { describe, expect, it } from '@jest/globals';
import { cosineSimilarity, normalize } from './vector.js';
import { applyCalibration, calibrate } from './calibration.js';

/** A model of which each text's vector is a common part, its language and its meaning. */
const LANGUAGES = ['en', 'de', 'ja'];
const MEANINGS = ['refund', 'holiday'];
const DIMENSION = 16;

function vectorOf(language: string, meaning?: string): Float32Array {
  const vector = new Float32Array(DIMENSION);
  vector[0] = 10;
  vector[1 + LANGUAGES.indexOf(language)] = 2;
  if (meaning !== undefined) vector[5 + MEANINGS.indexOf(meaning)] = 1;
  return normalize(vector);
}

const stopWords = new Map(LANGUAGES.map((language) => [language, [language]]));
const calibrated = calibrate(stopWords, (text) => Promise.resolve(vectorOf(text)));

describe(calibrate, () => {
  it('leaves of a vector what it means: the same in another language is nearer than another meaning', async () => {
    const calibration = await calibrated;
    const similarity = (one: Float32Array, other: Float32Array) =>
      cosineSimilarity(applyCalibration(calibration, one), applyCalibration(calibration, other));
    const question = vectorOf('de', 'refund');
    const answer = vectorOf('en', 'refund');
    const neighbour = vectorOf('de', 'holiday');
    expect(cosineSimilarity(question, neighbour)).toBeGreaterThan(
      cosineSimilarity(question, answer),
    );
    expect(similarity(question, answer)).toBeGreaterThan(0.9);
    expect(similarity(question, neighbour)).toBeLessThan(0.2);
  });

  it('finds as many directions as languages differ in, each of length 1', async () => {
    const { directions } = await calibrated;
    expect(directions).toHaveLength(LANGUAGES.length - 1);
    for (const direction of directions) expect(Math.hypot(...direction)).toBeCloseTo(1);
  });
});

// Written by bench/answers/calibrate.mjs.
import type { Weights } from './fitted.js';

export const CALIBRATED: Readonly<Record<'words' | 'meaning', Weights>> = {
  words: { bias: -3.496, topic: 1.205, detail: 2.781, certainty: 0.422 },
  meaning: { bias: -4.017, topic: 2.559, detail: 3.393, certainty: 0.1161 },
};

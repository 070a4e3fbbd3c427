// Written by bench/answers/calibrate.mjs.
import type { Weights } from './fitted.js';

export const CALIBRATED: Readonly<Record<'words' | 'meaning', Weights>> = {
  words: { bias: -3.522, topic: 1.206, detail: 2.814, certainty: 0.4233 },
  meaning: {
    bias: -6.587,
    topic: 2.408,
    detail: 3.546,
    certainty: -0.1211,
    nearest: 5.088,
    standsOut: 0.1959,
  },
};

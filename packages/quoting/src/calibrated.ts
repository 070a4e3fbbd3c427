// Written by bench/answers/calibrate.mjs.
import type { Weights } from './fitted.js';

export const CALIBRATED: Readonly<Record<'words' | 'meaning', Weights>> = {
  words: { bias: -3.496, topic: 1.205, detail: 2.781, certainty: 0.422 },
  meaning: {
    bias: -6.544,
    topic: 2.405,
    detail: 3.519,
    certainty: -0.117,
    nearest: 5.108,
    standsOut: 0.1722,
  },
};

// Written by bench/answers/calibrate.mjs.
import type { Weights } from './fitted.js';

export const CALIBRATED: Readonly<Record<'words' | 'meaning', Weights>> = {
  words: { bias: -3.738, topic: 1.304, detail: 3.073, certainty: 0.4156 },
  meaning: { bias: -4.04, topic: 2.551, detail: 3.624, certainty: 0.09616 },
};

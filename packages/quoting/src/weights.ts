import { CALIBRATED } from './calibrated.js';
import type { Calibrated } from './fitted.js';
import { FITTED_MEANING } from './fitted-meaning.js';
import { FITTED_WORDS } from './fitted-words.js';

/** All weights, for passages without and with vectors. */
export const WEIGHTS: Readonly<Record<'words' | 'meaning', Calibrated>> = {
  words: { ...FITTED_WORDS, confidence: CALIBRATED.words },
  meaning: { ...FITTED_MEANING, confidence: CALIBRATED.meaning },
};

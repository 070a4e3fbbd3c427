import type { Fitted } from './fitted.js';

export const FITTED_MEANING: Fitted = {
  anchor: {
    covered: 3,
    coveredBySection: 2,
    coveredBefore: 1,
    type: 0.5,
    rank: 1,
  },
  topic: { bias: -3, passageCovered: 6 },
  detail: { bias: -3, nearCovered: 6 },
};

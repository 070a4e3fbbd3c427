/** Weights of named features, as bench/answers/fit.mjs finds them. */
export type Weights = Readonly<Record<string, number>>;

/** The values of features, by the same names. */
export type Features = Readonly<Record<string, number>>;

/** The weights for one combination of models. */
export interface Fitted {
  /** Weights for choosing the unit that answers: a higher score is better, comparable within one question. */
  readonly anchor: Weights;
  /** Weights for deciding whether the passages are about what is asked. */
  readonly topic: Weights;
  /** Weights for deciding whether they have the details that are asked for: names, numbers, rare words. */
  readonly detail: Weights;
}

/** Those with the weights that make a probability of both decisions. */
export interface Calibrated extends Fitted {
  /** Found by bench/answers/calibrate.mjs. */
  readonly confidence: Weights;
}

/** `bias` is added to the sum. */
export function weigh(features: Features, weights: Weights): number {
  let sum = weights['bias'] ?? 0;
  for (const name in weights) sum += (weights[name] ?? 0) * (features[name] ?? 0);
  return sum;
}

export const toProbability = (logit: number): number => 1 / (1 + Math.exp(-logit));

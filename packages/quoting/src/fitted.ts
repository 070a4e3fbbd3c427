/** Weights of named features, as bench/answers/fit.mjs finds them. */
type Weights = Readonly<Record<string, number>>;

/** The values of features, by the same names. */
export type Features = Readonly<Record<string, number>>;

/** What one combination of models decides by. */
export interface Fitted {
  /** Which unit answers: higher is better, comparable within one question. */
  readonly anchor: Weights;
  /** Whether the passages are about what is asked. */
  readonly topic: Weights;
  /** Whether they have what is asked of it: its names, numbers, rare words. */
  readonly detail: Weights;
}

/** `bias` is added to the sum. */
export function weigh(features: Features, weights: Weights): number {
  let sum = weights['bias'] ?? 0;
  for (const name in weights) sum += (weights[name] ?? 0) * (features[name] ?? 0);
  return sum;
}

export const probability = (logit: number): number => 1 / (1 + Math.exp(-logit));

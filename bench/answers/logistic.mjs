// Logistic regressions over named features, by Adam on standardised values.

/** @typedef {Record<string, number>} Features */

const STEPS = 300;
const RATE = 0.05;

/**
 * @param {number} size
 * @param {(weights: Float64Array, gradient: Float64Array) => void} addGradient of the loss
 * @param {number} ridge
 * @param {Int8Array} signs 1 for a weight that is never below 0, -1 for one that is never above
 */
function minimise(size, addGradient, ridge, signs = new Int8Array(size)) {
  const weights = new Float64Array(size);
  const gradient = new Float64Array(size);
  const mean = new Float64Array(size);
  const square = new Float64Array(size);
  for (let step = 1; step <= STEPS; step++) {
    gradient.fill(0);
    addGradient(weights, gradient);
    for (let i = 0; i < size; i++) {
      const g = (gradient[i] ?? 0) + ridge * (weights[i] ?? 0);
      mean[i] = 0.9 * (mean[i] ?? 0) + 0.1 * g;
      square[i] = 0.999 * (square[i] ?? 0) + 0.001 * g * g;
      const rate = RATE * (step > STEPS / 2 ? 0.3 : 1);
      weights[i] =
        (weights[i] ?? 0) -
        (rate * (mean[i] ?? 0)) /
          (1 - 0.9 ** step) /
          (Math.sqrt((square[i] ?? 0) / (1 - 0.999 ** step)) + 1e-8);
      if ((weights[i] ?? 0) * (signs[i] ?? 0) < 0) weights[i] = 0;
    }
  }
  return weights;
}

/**
 * @param {string[]} names
 * @param {Features[]} rows
 */
function standardised(names, rows) {
  const spread = names.map((name) => {
    const mean = rows.reduce((sum, row) => sum + (row[name] ?? 0), 0) / rows.length;
    const variance =
      rows.reduce((sum, row) => sum + ((row[name] ?? 0) - mean) ** 2, 0) / rows.length;
    return { mean, deviation: Math.sqrt(variance) };
  });
  const toVector = (/** @type {Features} */ row) =>
    Float64Array.from(names, (name, i) => {
      const { mean = 0, deviation = 0 } = spread[i] ?? {};
      return deviation > 1e-9 ? ((row[name] ?? 0) - mean) / deviation : 0;
    });
  /** @param {Float64Array} weights */
  const toWeights = (weights, bias = 0) => {
    let moved = bias;
    /** @type {Features} */
    const named = {};
    for (const [i, name] of names.entries()) {
      const { mean = 0, deviation = 0 } = spread[i] ?? {};
      if (deviation <= 1e-9) continue;
      named[name] = (weights[i] ?? 0) / deviation;
      moved -= (named[name] ?? 0) * mean;
    }
    return { named, bias: moved };
  };
  return { toVector, toWeights };
}

/** @param {Float64Array} one @param {Float64Array} other */
function dot(one, other) {
  let sum = 0;
  for (let i = 0; i < one.length; i++) sum += (one[i] ?? 0) * (other[i] ?? 0);
  return sum;
}

/**
 * Which of the units of a question is the right one.
 *
 * @param {{ units: { features: Features, isRight: boolean }[], weight: number }[]} questions
 * @param {string[]} names
 * @returns {Features}
 */
export function fitChoice(questions, names, ridge = 1) {
  const useful = questions.filter(({ units }) => units.some(({ isRight }) => isRight));
  const { toVector, toWeights } = standardised(
    names,
    useful.flatMap(({ units }) => units.map(({ features }) => features)),
  );
  const rows = useful.map(({ units, weight }) => ({
    weight,
    vectors: units.map(({ features }) => toVector(features)),
    right: units.map(({ isRight }) => isRight),
  }));
  const weights = minimise(
    names.length,
    (current, gradient) => {
      for (const { vectors, right, weight } of rows) {
        const scores = vectors.map((vector) => dot(vector, current));
        const top = Math.max(...scores);
        const shares = scores.map((score) => Math.exp(score - top));
        const all = shares.reduce((sum, share) => sum + share, 0);
        const good = shares.reduce((sum, share, i) => sum + (right[i] ? share : 0), 0);
        for (const [i, vector] of vectors.entries()) {
          const share = shares[i] ?? 0;
          const factor = weight * (share / all - (right[i] ? share / (good || 1e-300) : 0));
          if (Math.abs(factor) < 1e-6) continue;
          for (let k = 0; k < vector.length; k++) {
            gradient[k] = (gradient[k] ?? 0) + factor * (vector[k] ?? 0);
          }
        }
      }
    },
    ridge,
  );
  return toWeights(weights).named;
}

/** More of what they measure never makes an answer more probable, or never less. */
const NEVER_FOR = /^(missing|unknown)/;
const NEVER_AGAINST = /covered|lowered|agreeing|nearest|gap/i;

/** @param {string} name */
const signOf = (name) => (NEVER_FOR.test(name) ? -1 : NEVER_AGAINST.test(name) ? 1 : 0);

/**
 * @param {{ features: Features, isRight: boolean, weight: number }[]} rows
 * @param {string[]} names
 * @returns {Features} with `bias`
 */
export function fitDecision(rows, names, ridge = 1) {
  const { toVector, toWeights } = standardised(
    names,
    rows.map(({ features }) => features),
  );
  const all = rows.map(({ features, isRight, weight }) => ({
    vector: Float64Array.from([...toVector(features), 1]),
    isRight,
    weight,
  }));
  const weights = minimise(
    names.length + 1,
    (current, gradient) => {
      for (const { vector, isRight, weight } of all) {
        const error = 1 / (1 + Math.exp(-dot(vector, current))) - Number(isRight);
        for (let k = 0; k < vector.length; k++) {
          gradient[k] = (gradient[k] ?? 0) + weight * error * (vector[k] ?? 0);
        }
      }
    },
    ridge,
    Int8Array.from([...names.map(signOf), 0]),
  );
  const { named, bias } = toWeights(weights, weights.at(-1));
  return { bias, ...named };
}

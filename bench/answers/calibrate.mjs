// Fits the confidence of answers to what collect.mjs has written, so that of answers at .8 eight in ten are right,
// and prints how well that holds for questions that it was not fitted to, with the curve of the threshold.
// usage: node bench/answers/calibrate.mjs words|meaning FILE[:weight of answerable:weight of others] … [--write]
// Half B of a set that has halves is for measuring alone. The weights make the mixture of questions that is
// expected: in the sets of near misses every second question is one.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { format } from 'prettier';
import { CALIBRATED } from '@latchkey/quoting/calibrated';
import { computeConfidenceFeatures, estimateConfidence } from '@latchkey/quoting/decision';
import { WEIGHTS } from '@latchkey/quoting/weights';
import { answerCollected, NEAR, OFF_TOPIC, share } from './collected.mjs';
import { fitDecision } from './logistic.mjs';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'boolean', default: false } },
});
const [kind, ...files] = positionals;
if (kind !== 'words' && kind !== 'meaning') throw new Error('words or meaning?');
const weights = WEIGHTS[kind];
const BINS = [0, 0.3, 0.5, 0.6, 0.7, 0.8, 0.9, 1.01];
const THRESHOLDS = [0.3, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.8];

const rows = files.flatMap((file) => {
  const [path = '', answerable = '1', others = '1'] = file.split(':');
  return answerCollected(kind, path).map((one) => ({
    ...one,
    file: path.split('/').at(-1),
    weight: Number(one.answerable ? answerable : others),
    decision: one.features,
    features: computeConfidenceFeatures(one.features, weights),
  }));
});
const confidence = options.write
  ? fitDecision(
      rows.filter(({ half }) => half !== 'B'),
      ['topic', 'detail', 'certainty', ...(kind === 'meaning' ? ['nearest', 'standsOut'] : [])],
      0.1,
    )
  : CALIBRATED[kind];
const judged = rows.map((row) => ({
  ...row,
  confidence: estimateConfidence(row.decision, { ...weights, confidence }),
}));

const measured = [
  ['fitted to', judged.filter(({ half }) => half !== 'B')],
  ['kept aside', judged.filter(({ half }) => half === 'B')],
];
for (const [name, some] of /** @type {[string, typeof judged][]} */ (measured)) {
  console.log(`${name}: ${some.length} questions, by confidence`);
  console.table(
    BINS.slice(0, -1).map((from, index) => {
      const to = BINS[index + 1] ?? 1;
      const those = some.filter(({ confidence: one }) => one >= from && one < to);
      const answerable = some.filter((row) => row.answerable);
      return {
        from,
        answers: those.length,
        right: share(those, (row) => row.isRight),
        'of the answerable': share(answerable, ({ confidence: one }) => one >= from && one < to),
      };
    }),
  );
}
/** @type {Record<string, object>} */
const curve = {};
for (const file of new Set(judged.map((row) => row.file))) {
  for (const threshold of THRESHOLDS) {
    const some = judged.filter((row) => row.file === file);
    const of = (/** @type {string[]} */ kinds) =>
      share(
        some.filter((row) => kinds.includes(row.kind)),
        (row) => row.confidence >= threshold,
      );
    curve[`${file} ${threshold}`] = {
      right: share(
        some.filter((row) => row.answerable),
        (row) => row.isRight && row.confidence >= threshold,
      ),
      near: of(NEAR),
      off: of(OFF_TOPIC),
    };
  }
}
console.table(curve);
if (options.write) {
  const round = (/** @type {Record<string, number>} */ weights) =>
    Object.fromEntries(
      Object.entries(weights).map(([name, value]) => [name, Number(value.toPrecision(4))]),
    );
  const text = `// Written by bench/answers/calibrate.mjs.
import type { Weights } from './fitted.js';

export const CALIBRATED: Readonly<Record<'words' | 'meaning', Weights>> = ${JSON.stringify({ ...CALIBRATED, [kind]: round(confidence) })};
`;
  const path = new URL('../../packages/quoting/src/calibrated.ts', import.meta.url);
  writeFileSync(
    path,
    await format(text, { parser: 'typescript', singleQuote: true, printWidth: 100 }),
  );
}

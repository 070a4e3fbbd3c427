// Fits what packages/quoting decides by, to what collect.mjs has written, and prints the curve of the decision,
// each question judged by weights that were fitted without its document, or without its language if it is of XQuAD.
// usage: node bench/answers/fit.mjs words|meaning FILE… [--write] [--show n] [--kind a,b]
// The same questions asked of knowledge bases of several sizes, each in a file, make weights for all sizes.
import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { format } from 'prettier';
import { CALIBRATED } from '@latchkey/quoting/calibrated';
import { isQuotable, QuoteSelector } from '@latchkey/quoting/read-question';
import { buildParagraphs } from '@latchkey/quoting/spans';
import { weigh } from '@latchkey/quoting/fitted';
import { fitChoice, fitDecision } from './logistic.mjs';
import { isRight } from './question-files.mjs';
import { toRated } from './to-rated.mjs';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    write: { type: 'boolean', default: false },
    show: { type: 'string', default: '0' },
    kind: { type: 'string' },
    split: { type: 'boolean', default: true },
  },
});
const [kind = 'words', ...files] = positionals;
const FOLDS = 5;
/** The curve is on the scale of the confidence; calibrate.mjs fits it again after the weights have changed. */
const confidence = kind === 'words' ? CALIBRATED.words : CALIBRATED.meaning;
const NAMES_FACTOR = 2;
/** How much the paragraphs' questions count beside the natural ones, in all. */
const SQUAD_SHARE = Number(process.env['SQUAD_SHARE'] ?? 1);
/** The same of questions about something else; there are few natural ones. */
const WEIGHTS = new Map([
  ['offtopic', 4],
  ['other', 3],
]);
/** How much each question counts as one of a knowledge base of one passage. */
const ALONE_WEIGHT = 0.3;
/** What each decision is fitted by. More features fit these questions better, and those of other languages worse. */
const TOPIC = [
  ...['lowered', 'coveredByPassage', 'agreeing', 'missingHeaviestNear', 'missingNames', 'unknown'],
  ...['unknownWords', 'nearestUnit', 'nearestStandsOut', 'documentGap', 'onlyDocument'],
  ...['foreign', 'story'],
];
const DETAIL = [
  ...['missingHeaviest', 'missingAlone', 'missingNames', 'missingNumbers', 'missingIdentifiers'],
  ...['missingRow', 'unknown', 'typeMissing', 'foreign'],
];
const OF_MEANING = new Set([
  ...['nearestUnit', 'nearestStandsOut', 'documentGap', 'onlyDocument', 'typeMissing'],
]);
/**
 * The share of the natural questions that each decision may refuse at a probability of one half. With less
 * for the topic, questions about other things are answered: those of XQuAD in English by .35 and more.
 */
const REFUSED = {
  topic: Number(process.env['REFUSED_TOPIC'] ?? (kind === 'words' ? 0.15 : 0.075)),
  detail: Number(process.env['REFUSED_DETAIL'] ?? 0.07),
};

/** @type {any[]} */
const rows = files
  .flatMap((file) => {
    const lines = readFileSync(file, 'utf8').trim().split('\n');
    return lines.map((line) => ({ ...JSON.parse(line), file: basename(file, '.jsonl') }));
  })
  .filter((row) => row.kind !== 'smalltalk')
  .map((row) => {
    const rated = toRated(row, kind);
    const passages = rated.passages.map((/** @type {any} */ { source }) => source);
    const units = rated.passages
      .flatMap(({ units }) => units)
      .filter(isQuotable)
      .map((unit) => ({ features: unit.features, isRight: isAnyRight(unit.text, row.golds) }));
    const isNatural = !row.set.startsWith('xquad');
    return { ...row, passages, rated, alone: alone(rated, row.golds), units, isNatural, weight: 1 };
  });
const squad = rows.filter(({ isNatural }) => !isNatural);
const natural = rows.filter(({ isNatural }) => isNatural);
for (const row of squad) row.weight = (SQUAD_SHARE * natural.length) / squad.length;

/**
 * The same in a knowledge base that has one passage alone: the one that answers, or the best one. Without
 * these, a small knowledge base answers what is asked about other things in another language.
 *
 * @param {any} rated @param {string[][]} golds
 */
function alone(rated, golds) {
  const texts = rated.passages.map((/** @type {any} */ { source }) => source.text);
  const index = Math.max(
    0,
    texts.findIndex((/** @type {string} */ text) => isAnyRight(text, golds)),
  );
  const passages = rated.passages
    .slice(index, index + 1)
    .map((/** @type {any} */ passage) => ranked(passage, 0));
  return { ...rated, passages };
}

/**
 * The same in a knowledge base without the document that answers: a question as people ask it, with its
 * story or in another language, about something that is not there.
 *
 * @param {any} rated @param {string} document
 */
function without(rated, document) {
  const passages = rated.passages
    .filter((/** @type {any} */ { source }) => source.externalId !== document)
    .map((/** @type {any} */ passage, /** @type {number} */ index) => ranked(passage, index));
  return { ...rated, passages };
}

/** @param {any} passage @param {number} index */
function ranked(passage, index) {
  const features = { rank: -Math.log1p(index), first: Number(index === 0) };
  const units = passage.units.map((/** @type {any} */ unit) => ({
    ...unit,
    passage: index,
    features: { ...unit.features, ...features },
  }));
  return { ...passage, units };
}

/** @param {string} text @param {string[][]} golds */
function isAnyRight(text, golds) {
  return golds.some((some) => isRight(text, [some]));
}

const anchorNames = namesOf(
  rows.flatMap(({ units }) => units.slice(0, 3).map((/** @type {any} */ unit) => unit.features)),
);

/** @param {Record<string, number>[]} features */
function namesOf(features) {
  return [...new Set(features.flatMap((one) => Object.keys(one)))];
}

/** @param {any[]} some */
function fit(some) {
  const anchor = fitChoice(
    some.filter(({ answerable }) => answerable),
    anchorNames,
  );
  const decisions = some.flatMap((row) => {
    const isNaturalAnswer = row.isNatural && row.answerable;
    const absent = { ...row, rated: without(row.rated, row.fold), kind: 'absent' };
    return [
      row,
      { ...row, rated: row.alone, weight: row.weight * ALONE_WEIGHT },
      ...(isNaturalAnswer ? [{ ...absent, answerable: false }] : []),
    ].flatMap((one) => {
      const read = new QuoteSelector(one.rated, { anchor, topic: {}, detail: {}, confidence: {} });
      const features = read.computeDecisionFeatures();
      return features ? [{ ...one, features, isRight: one.answerable }] : [];
    });
  });
  const isNear = (/** @type {any} */ row) => row.kind === 'unanswerable';
  const topic = fitDecision(
    decisions
      .filter((row) => !isNear(row))
      .map((row) => ({ ...row, weight: row.weight * (WEIGHTS.get(row.kind) ?? 1) })),
    ofKind(TOPIC),
    kind === 'words' ? 5 : 30,
  );
  const detail = fitDecision(
    decisions
      .filter((row) => row.isNatural && (row.answerable || isNear(row)))
      .map((row) => ({ ...row, weight: row.weight * (isNear(row) ? 2 : 1) })),
    ofKind(DETAIL),
    3,
  );
  // Few questions have a name that is missing, so that the penalty of large weights makes it too light.
  for (const weights of [topic, detail]) {
    weights['missingNames'] = NAMES_FACTOR * (weights['missingNames'] ?? 0);
  }
  return shifted({ anchor, topic, detail }, some);
}

/**
 * Moves each decision, so that as many natural questions are refused by it as may be at one half.
 *
 * @param {any} fitted @param {any[]} some
 */
function shifted({ anchor, topic, detail }, some) {
  /** @type {Record<string, number>[]} */
  const features = some
    .filter(({ isNatural, answerable }) => isNatural && answerable)
    .map((row) => ({
      ...new QuoteSelector(row.rated, {
        anchor,
        topic,
        detail,
        confidence: {},
      }).computeDecisionFeatures(),
    }));
  const move = (/** @type {any} */ weights, /** @type {number} */ refused) => {
    const logits = features.map((one) => weigh(one, weights)).sort((one, other) => one - other);
    return { ...weights, bias: weights.bias - (logits[Math.floor(logits.length * refused)] ?? 0) };
  };
  return { anchor, topic: move(topic, REFUSED.topic), detail: move(detail, REFUSED.detail) };
}

/** @param {string[]} names */
function ofKind(names) {
  return names.filter((name) => kind === 'meaning' || !OF_MEANING.has(name));
}

const folds = [...new Set(natural.map(({ fold }) => fold))].sort();
const languages = [...new Set(squad.map(({ language }) => language))].sort();
/** @param {any} row */
const foldOf = (row) =>
  (row.isNatural ? folds.indexOf(row.fold) : languages.indexOf(row.language)) % FOLDS;
const judged = Array.from({ length: FOLDS }, (_, fold) => {
  const fitted = fit(rows.filter((row) => foldOf(row) !== fold));
  return rows
    .filter((row) => foldOf(row) === fold)
    .map((row) => {
      const read = new QuoteSelector(row.rated, { ...fitted, confidence });
      const answer = buildParagraphs(read.chooseSpans())
        .map(({ passage, text }) => `${text} [${passage + 1}]`)
        .join('\n\n');
      return {
        ...row,
        confidence: read.estimateConfidence(),
        answer,
        right: row.answerable && isRight(answer, row.golds),
      };
    });
}).flat();

/** @param {any[]} some @param {(row: any) => boolean} test */
const share = (some, test) =>
  some.length ? (some.filter(test).length / some.length).toFixed(3) : '–';
/** @param {any[]} some @param {number} threshold */
const figures = (some, threshold) => {
  const can = some.filter(({ answerable }) => answerable);
  return {
    n: some.length,
    found: share(can, (row) =>
      isRight(
        row.passages.map((/** @type {any} */ p) => `${p.heading ?? ''} ${p.text}`).join('\n'),
        row.golds,
      ),
    ),
    quoted: share(can, ({ right }) => right),
    right: share(can, ({ right, confidence }) => right && confidence >= threshold),
    refused: share(can, ({ confidence }) => confidence < threshold),
    near: share(
      some.filter((row) => row.kind === 'unanswerable'),
      ({ confidence }) => confidence >= threshold,
    ),
    off: share(
      some.filter((row) => ['offtopic', 'other'].includes(row.kind)),
      ({ confidence }) => confidence >= threshold,
    ),
    words:
      can.map(({ answer }) => answer.split(/\s+/).length).sort((a, b) => a - b)[can.length >> 1] ??
      0,
  };
};
/** @type {Record<string, object>} */
const curve = {};
for (const file of new Set(natural.map((row) => row.file))) {
  for (const threshold of [0.2, 0.3, 0.4, 0.45, 0.5, 0.55, 0.6, 0.7, 0.8]) {
    curve[`${file} ${threshold}`] = figures(
      judged.filter((row) => row.file === file),
      threshold,
    );
  }
}
console.table(curve);
/** @type {Record<string, object>} */
const byKind = {};
for (const name of new Set(judged.map((row) => (row.isNatural ? row.kind : row.set)))) {
  byKind[name] = figures(
    judged.filter((row) => (row.isNatural ? row.kind : row.set) === name),
    0.5,
  );
}
console.table(byKind);
let shown = Number(options.show);
for (const row of judged) {
  if (shown <= 0) break;
  if (options.kind && !options.kind.split(',').includes(row.isNatural ? row.kind : row.set))
    continue;
  if (row.answerable ? row.right && row.confidence >= 0.5 : row.confidence < 0.5) continue;
  shown--;
  console.log(
    JSON.stringify([
      row.id,
      row.message,
      row.history,
      row.golds,
      row.confidence.toFixed(2),
      row.right,
    ]),
    `\n${row.answer}\n`,
  );
}
if (options.write) {
  const fitted = fit(rows);
  const round = (/** @type {any} */ weights) =>
    Object.fromEntries(
      Object.entries(weights).map(([name, value]) => [name, Number(Number(value).toPrecision(4))]),
    );
  const text = `// Written by bench/answers/fit.mjs.
import type { Fitted } from './fitted.js';

export const FITTED_${kind.toUpperCase()}: Fitted = ${JSON.stringify({ anchor: round(fitted.anchor), topic: round(fitted.topic), detail: round(fitted.detail) })};
`;
  const path = new URL(`../../packages/quoting/src/fitted-${kind}.ts`, import.meta.url);
  writeFileSync(
    path,
    await format(text, { parser: 'typescript', singleQuote: true, printWidth: 100 }),
  );
}

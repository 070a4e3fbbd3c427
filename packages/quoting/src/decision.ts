import { detectQuestionLanguage } from '@latchkey/text/language/question-language';
import { foldLetters } from '@latchkey/text/fold-text';
import { tokenize } from '@latchkey/text/tokenize';
import type { QuestionTerm } from '@latchkey/ranking/search-index';
import { asksPrice, isPriceWord } from './asked-price.js';
import type { WeightedQuestion } from './asked-question.js';
import { lacksAskedCell } from './asked-value.js';
import { isOtherLanguage } from './calendar-names.js';
import { CURRENCY } from './currencies.js';
import { type Calibrated, type Features, type Fitted, toProbability, weigh } from './fitted.js';
import { findNumbersWithin } from './number-ranges.js';
import { findYears } from '@latchkey/text/years';
import { countOtherVariants } from './other-variants.js';
import type { QuestionCoverage } from './question-coverage.js';
import { findWordsOfSameDates } from './same-dates.js';
import { mergeMatches, type MatchedTerms, PRESENT } from './term-matcher.js';
import type { RatedPassage, RatedUnit } from './unit-features.js';
import { isStatement } from './units.js';

const NUMBER = /\p{Nd}+/gu;
const DIGIT = /\p{Nd}/u;
const LETTER_OR_UNDERSCORE = /[\p{L}_]/u;
/** Identifiers are written in scripts with capital letters; others have no space before and after them. */
const BETWEEN_IDENTIFIERS = /[^\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Nd}_.-]/u;
/** Characters of Chinese pronouns and particles that Japanese does not have. */
const CHINESE = /[吗嗎呢吧们們这這哪么麼谁誰怎几幾请請给給您你]/u;
const LAST_MARK = /[.-]$/;
const MAX_IDENTIFIERS = 8;
/**
 * A question of few words is about its rare ones. If no found passage has them, nor anything near in meaning,
 * the passages only share its common words, for example because a filter excluded the others.
 */
const FEW_WORDS = 3;
const MAX_SHARE_MISSING = 0.4;
/** Added to the standard deviation: where all units are about equally near, none of them stands out. */
const LEAST_DEVIATION = 0.02;

/** The most that a certain topic counts; beyond it, answers are not more often right. */
const MAX_CERTAINTY = 4;

/** The probability that what is quoted is a right answer. */
export const estimateConfidence = (
  features: Features,
  { confidence, ...fitted }: Calibrated,
): number =>
  (features['fewWordsMissing'] ?? 0) > MAX_SHARE_MISSING
    ? 0
    : toProbability(weigh(computeConfidenceFeatures(features, fitted), confidence));

/**
 * What the confidence is computed from: whether the passages are about the question and have its details, and
 * how near the nearest unit is in meaning.
 */
export function computeConfidenceFeatures(features: Features, { topic, detail }: Fitted): Features {
  const logit = weigh(features, topic);
  return {
    topic: toProbability(logit),
    detail: toProbability(weigh(features, detail)),
    certainty: Math.min(MAX_CERTAINTY, Math.max(0, logit)),
    ...(features['nearestUnit'] !== undefined && {
      nearest: features['nearestUnit'],
      standsOut: features['nearestStandsOut'] ?? 0,
    }),
  };
}

/** The quoted units, on which the decision is based beside the question and its passages. */
interface DecisionContext {
  /** The unit that answers best. */
  readonly best: RatedUnit;
  /** Others that may be quoted beside it, as the answer to the second of two questions. */
  readonly others: readonly RatedUnit[];
  /** The share that its passage has of the exponential scores of all units. */
  readonly agreeing: number;
}

/**
 * Computes the features that show whether passages answer a question. There are few of them, so that they
 * mean the same in languages and knowledge bases that the weights were not fitted to.
 */
export function computeDecisionFeatures(
  question: WeightedQuestion,
  passages: readonly RatedPassage[],
  { best, others, agreeing }: DecisionContext,
): Features {
  const { terms, telling: asked, counted, coverage, text } = question;
  const anchor = passages[best.passage];
  const inAnchor = anchor?.matched ?? new Map();
  const near = matchNeighbourhood(anchor, best);
  const quoted = [best, ...others];
  const missing = findMissing(
    mergeMatches(...quoted.map(({ passage }) => passages[passage]?.matched ?? new Map())),
    asked,
  );
  const missingNear = findMissing(
    mergeMatches(...quoted.map((unit) => matchNeighbourhood(passages[unit.passage], unit))),
    asked,
  );
  const language = detectQuestionLanguage(text);
  // In German every noun has a capital letter.
  const isName = ({ mayBeName }: QuestionTerm) => mayBeName && language !== 'de';
  const named = findIdentifiers(text);
  const texts = passages.map(({ source }) => `${source.title} ${source.text}`.toLowerCase());
  const hasMeaning = best.features['whole'] !== undefined;
  const inAny = mergeMatches(...passages.map(({ matched }) => matched));
  const unknown = findMissing(inAny, asked).filter(({ isKnown }) => !isKnown);
  const contents = new Set(asked.map(({ word }) => word));
  // The column names may have the numbers too, and the title or heading the year.
  const columns = anchor?.units[best.header]?.text ?? '';
  const { title = '', heading, givenDate = '' } = anchor?.source ?? {};
  const above = `${title} ${heading ?? ''} ${givenDate}`;
  const inNames = [...(columns.match(NUMBER) ?? []), ...[...findYears(above)].map(String)];
  const within = anchor?.units.flatMap((unit) => [
    ...findNumbersWithin(question.numbers, unit.text, {
      isRow: unit.kind === 'row',
      asksWhether: question.asksWhether,
    }),
    ...findWordsOfSameDates(question.dates, unit.text, question.codes),
  ]);
  const variants = countOtherVariants(
    text,
    anchor?.source.text ?? '',
    (word) => tokenize(word).some((one) => contents.has(foldLetters(one))),
    new Set([...inNames, ...(within ?? [])]),
  );
  const document = passages.filter(({ source }) => source.document === anchor?.source.document);
  const lacksPrice =
    asksPrice(text) &&
    DIGIT.test(best.text) &&
    !document.some(({ source }) => CURRENCY.test(`${source.title} ${source.text}`)) &&
    !tokenize(`${above} ${columns} ${best.text}`).some((word) => isPriceWord(foldLetters(word)));
  const lacksCell = anchor !== undefined && lacksAskedCell(question, best, anchor);
  const words = {
    missingHeaviest: findMaxWeight(missing) / findMaxWeight(terms),
    missingHeaviestNear: findMaxWeight(missingNear) / findMaxWeight(terms),
    missingAlone: weighMissingAlone(missingNear, asked),
    // A name that only another passage has shows that this passage is about something else.
    missingNames: Math.min(2, findMissing(inAnchor, asked).filter(isName).length),
    missingNumbers: Math.min(
      2,
      missing.filter(({ word }) => DIGIT.test(word)).length +
        variants +
        Number(lacksPrice || lacksCell),
    ),
    missingRow:
      best.kind === 'row' && !isSingledOut(best, anchor)
        ? Math.max(0, 1 - 2 * computeShare(best.matched, asked))
        : 0,
    unknown: sumWeights(unknown) / Math.max(1e-9, sumWeights(counted)),
    unknownWords: Math.min(3, unknown.length),
  };
  // Missing words mean nothing if the question is in another language than the text.
  const isForeign =
    isOtherLanguage(language, anchor?.source.language) && !mayBeJapanese(text, anchor);
  return {
    agreeing,
    lowered: computeLoweredCoverage(coverage, inAnchor, near),
    coveredByPassage: computeShare(inAnchor, asked),
    ...(!isForeign && words),
    // Without this feature, all words of a foreign question would seem to be present.
    foreign: Number(isForeign),
    story: Number(question.hasStory),
    typeMissing: Number(
      quoted.every(({ features, isClause }) => features['typeMissing'] === 1 && !isClause),
    ),
    missingIdentifiers: Math.min(
      2,
      named.filter((one) => !texts.some((some) => some.includes(one.toLowerCase()))).length,
    ),
    // The sentence that asks within a story has few words, and lacks those that it is about.
    fewWordsMissing:
      counted.length <= FEW_WORDS && !question.hasStory
        ? sumWeights(findMissing(inAny, asked).filter(({ isKnown }) => isKnown || !hasMeaning)) /
          Math.max(1e-9, sumWeights(counted))
        : 0,
    ...(hasMeaning && {
      nearestUnit: findMaxSimilarity(passages),
      nearestStandsOut: computeDeviation(passages, best),
      ...computeDocumentGap(passages, best),
    }),
  };
}

const computeLoweredCoverage = (
  coverage: QuestionCoverage,
  anchor: MatchedTerms,
  near: MatchedTerms,
) => coverage.lowerShare((coverage.computeShare(anchor) + coverage.computeShare(near)) / 2);

const findMissing = (matched: MatchedTerms, asked: readonly QuestionTerm[]) =>
  asked.filter((term) => (matched.get(term) ?? 0) < PRESENT);

const sumWeights = (some: readonly QuestionTerm[]) =>
  some.reduce((sum, { weight }) => sum + weight, 0);

const findMaxWeight = (some: readonly QuestionTerm[]) =>
  Math.max(1e-9, ...some.map(({ weight }) => weight));

const computeShare = (matched: MatchedTerms, asked: readonly QuestionTerm[]) =>
  asked.reduce((sum, term) => sum + (matched.get(term) ?? 0) * term.weight, 0) /
  Math.max(1e-9, sumWeights(asked));

/**
 * The weight of the heaviest missing word, multiplied by the share of the other words that are present. If only
 * one word is missing, it is what is asked about ("delivery to Austria"); if most are, the text has other words.
 */
function weighMissingAlone(
  missing: readonly QuestionTerm[],
  asked: readonly QuestionTerm[],
): number {
  if (missing.length === 0) return 0;
  const heaviest = findMaxWeight(missing);
  const present = sumWeights(asked) - sumWeights(missing);
  return (
    (heaviest / findMaxWeight(asked)) * (present / Math.max(1e-9, sumWeights(asked) - heaviest))
  );
}

/** Whether a row has a word of the question that no other row of its table has. */
function isSingledOut(row: RatedUnit, passage: RatedPassage | undefined): boolean {
  const others = passage?.units.filter(
    ({ block, header }, index) =>
      block === row.block && passage.units[index] !== row && header !== index,
  );
  return (
    row.isNamed ||
    [...row.matched].some(
      ([term, credit]) =>
        credit >= PRESENT && !others?.some(({ matched }) => (matched.get(term) ?? 0) >= PRESENT),
    )
  );
}

/** The similarity of the nearest unit of some passages to the whole question. */
const findMaxSimilarity = (passages: readonly RatedPassage[]) =>
  Math.max(
    -1,
    ...passages.flatMap(({ units }) => units.map(({ features }) => features['ownWhole'] ?? -1)),
  );

/** The number of standard deviations by which the best unit is nearer to the question than the average. */
function computeDeviation(passages: readonly RatedPassage[], { features }: RatedUnit): number {
  const all = passages
    .flatMap(({ units }) => units.filter(isStatement))
    .map((unit) => unit.features['ownWhole'] ?? 0);
  const mean = all.reduce((sum, one) => sum + one, 0) / all.length;
  const variance = all.reduce((sum, one) => sum + (one - mean) ** 2, 0) / all.length;
  return ((features['ownWhole'] ?? 0) - mean) / (Math.sqrt(variance) + LEAST_DEVIATION);
}

/** The difference in similarity between the document of the best unit and the nearest of the others, if any. */
function computeDocumentGap(passages: readonly RatedPassage[], best: RatedUnit): Features {
  const document = passages[best.passage]?.source.document;
  const isSame = ({ source }: RatedPassage) => source.document === document;
  const others = passages.filter((passage) => !isSame(passage));
  return others.length > 0
    ? { documentGap: findMaxSimilarity(passages.filter(isSame)) - findMaxSimilarity(others) }
    : { onlyDocument: 1 };
}

/** Keywords in Chinese characters alone do not tell Chinese from Japanese. */
const mayBeJapanese = (text: string, anchor: RatedPassage | undefined): boolean =>
  anchor?.source.language === 'ja' && !CHINESE.test(text);

/** Words with letters and digits or underscores: `QH-2002`, `SECRET_KEY`. */
const findIdentifiers = (text: string): string[] =>
  text
    .split(BETWEEN_IDENTIFIERS)
    .map((word) => word.replace(LAST_MARK, ''))
    .filter((word) => word.length > 1 && LETTER_OR_UNDERSCORE.test(word))
    .filter((word) => DIGIT.test(word) || word.includes('_'))
    .slice(0, MAX_IDENTIFIERS);

/** The terms of a unit, those beside it and their heading. */
const matchNeighbourhood = (passage: RatedPassage | undefined, unit: RatedUnit): MatchedTerms =>
  mergeMatches(
    unit.matchedInContext,
    ...findNeighbours(passage, unit).map(({ matched }) => matched),
  );

/** The units before and after one, in its section. */
function findNeighbours(passage: RatedPassage | undefined, unit: RatedUnit): RatedUnit[] {
  const index = passage?.units.indexOf(unit) ?? -1;
  return [index - 1, index + 1].flatMap((other) => {
    const one = passage?.units[other];
    return one && one.section === unit.section ? [one] : [];
  });
}

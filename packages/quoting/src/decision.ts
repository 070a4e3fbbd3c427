import { questionLanguage } from '@latchkey/text/language/question-language';
import { foldLetters } from '@latchkey/text/fold-text';
import { tokenize } from '@latchkey/text/tokenize';
import type { QuestionTerm } from '@latchkey/ranking/search-index';
import { lacksAskedForm } from './asked-form.js';
import type { AskedQuestion } from './asked-question.js';
import { type Features, type Fitted, probability, weigh } from './fitted.js';
import { numbersWithin } from './number-ranges.js';
import { YEAR } from './editions.js';
import { otherVariants } from './other-variants.js';
import type { QuestionCoverage } from './question-coverage.js';
import { wordsOfSameDates } from './same-dates.js';
import { allOf, type MatchedTerms, PRESENT } from './term-matcher.js';
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
 * A question of few words is about its rare ones. If no passage that was found has them, nor anything near
 * in meaning, the passages only share its common words, as when a filter left the others out.
 */
const FEW_WORDS = 3;
const MAX_SHARE_MISSING = 0.4;
/** Where all units are nearly as near, none of them stands out. */
const LEAST_DEVIATION = 0.02;

/** How probable it is that the passages answer the question: no more than that they are about it at all. */
export const decide = (features: Features, { topic, detail }: Fitted): number =>
  (features['fewWordsMissing'] ?? 0) > MAX_SHARE_MISSING
    ? 0
    : Math.min(probability(weigh(features, topic)), probability(weigh(features, detail)));

/** What the decision is about, beside the question and its passages. */
interface DecisionContext {
  /** The unit that answers best. */
  readonly best: RatedUnit;
  /** Others that may be quoted beside it, as the answer to the second of two questions. */
  readonly others: readonly RatedUnit[];
  /** The share that its passage has of the exponential scores of all units. */
  readonly agreeing: number;
}

/**
 * What tells whether passages answer a question. Few features, so that they mean the same in languages
 * and knowledge bases that the weights were not fitted to.
 */
export function decisionFeatures(
  question: AskedQuestion,
  passages: readonly RatedPassage[],
  { best, others, agreeing }: DecisionContext,
): Features {
  const { terms, telling: asked, counted, coverage, text } = question;
  const anchor = passages[best.passage];
  const inAnchor = anchor?.matched ?? new Map();
  const near = neighbourhood(anchor, best);
  const quoted = [best, ...others];
  const missing = missingIn(
    allOf(...quoted.map(({ passage }) => passages[passage]?.matched ?? new Map())),
    asked,
  );
  const missingNear = missingIn(
    allOf(...quoted.map((unit) => neighbourhood(passages[unit.passage], unit))),
    asked,
  );
  const language = questionLanguage(text);
  // In German every noun has a capital letter.
  const isName = ({ mayBeName }: QuestionTerm) => mayBeName && language !== 'de';
  const named = identifiersIn(text);
  const texts = passages.map(({ source }) => `${source.title} ${source.text}`.toLowerCase());
  const hasMeaning = best.features['whole'] !== undefined;
  const inAny = allOf(...passages.map(({ matched }) => matched));
  const unknown = missingIn(inAny, asked).filter(({ isKnown }) => !isKnown);
  const contents = new Set(asked.map(({ word }) => word));
  // The names of its columns have them too, and what it stands under has the year.
  const columns = anchor?.units[best.header]?.text ?? '';
  const above = `${anchor?.source.title ?? ''} ${anchor?.source.heading ?? ''}`;
  const inNames = [...(columns.match(NUMBER) ?? []), ...(above.match(YEAR) ?? [])];
  const within = anchor?.units.flatMap((unit) => [
    ...numbersWithin(question.numbers, unit.text, {
      isRow: unit.kind === 'row',
      asksWhether: question.asksWhether,
    }),
    ...wordsOfSameDates(question.dates, unit.text, question.codes),
  ]);
  const variants = otherVariants(
    text,
    anchor?.source.text ?? '',
    (word) => tokenize(word).some((one) => contents.has(foldLetters(one))),
    new Set([...inNames, ...(within ?? [])]),
  );
  const document = passages.filter(({ source }) => source.document === anchor?.source.document);
  const lacksForm = lacksAskedForm(text, {
    unit: `${best.text}\n${anchor?.units[best.header]?.text ?? ''}`,
    around: textAround(anchor, best),
    document: document.map(({ source }) => `${source.title}\n${source.text}`).join('\n'),
  });
  const words = {
    missingHeaviest: heaviestOf(missing) / heaviestOf(terms),
    missingHeaviestNear: heaviestOf(missingNear) / heaviestOf(terms),
    missingAlone: missingAlone(missingNear, asked),
    // A name that only another passage has is not what this one is about.
    missingNames: Math.min(2, missingIn(inAnchor, asked).filter(isName).length),
    missingNumbers: Math.min(
      2,
      missing.filter(({ word }) => DIGIT.test(word)).length + variants + Number(lacksForm),
    ),
    missingRow:
      best.kind === 'row' && !isSingledOut(best, anchor)
        ? Math.max(0, 1 - 2 * shareOf(best.matched, asked))
        : 0,
    unknown: weightOf(unknown) / Math.max(1e-9, weightOf(counted)),
    unknownWords: Math.min(3, unknown.length),
  };
  // What is missing says nothing where the question is in another language than the text.
  const isForeign = isOther(language, anchor?.source.language) && !mayBeJapanese(text, anchor);
  return {
    agreeing,
    lowered: loweredCoverage(coverage, inAnchor, near),
    coveredByPassage: shareOf(inAnchor, asked),
    ...(!isForeign && words),
    // Without it, all of its words would seem to be there.
    foreign: Number(isForeign),
    story: Number(question.hasStory),
    typeMissing: Number(
      quoted.every(({ features, isClause }) => features['typeMissing'] === 1 && !isClause),
    ),
    missingIdentifiers: Math.min(
      2,
      named.filter((one) => !texts.some((some) => some.includes(one.toLowerCase()))).length,
    ),
    // In a story, the sentence that asks has few words, and not those that it is about.
    fewWordsMissing:
      counted.length <= FEW_WORDS && !question.hasStory
        ? weightOf(missingIn(inAny, asked).filter(({ isKnown }) => isKnown || !hasMeaning)) /
          Math.max(1e-9, weightOf(counted))
        : 0,
    ...(hasMeaning && {
      nearestUnit: nearestUnitOf(passages),
      nearestStandsOut: standingOut(passages, best),
      ...documentGap(passages, best),
    }),
  };
}

const loweredCoverage = (coverage: QuestionCoverage, anchor: MatchedTerms, near: MatchedTerms) =>
  coverage.relevanceOf((coverage.shareOf(anchor) + coverage.shareOf(near)) / 2);

const missingIn = (matched: MatchedTerms, asked: readonly QuestionTerm[]) =>
  asked.filter((term) => (matched.get(term) ?? 0) < PRESENT);

const weightOf = (some: readonly QuestionTerm[]) =>
  some.reduce((sum, { weight }) => sum + weight, 0);

const heaviestOf = (some: readonly QuestionTerm[]) =>
  Math.max(1e-9, ...some.map(({ weight }) => weight));

const shareOf = (matched: MatchedTerms, asked: readonly QuestionTerm[]) =>
  asked.reduce((sum, term) => sum + (matched.get(term) ?? 0) * term.weight, 0) /
  Math.max(1e-9, weightOf(asked));

/**
 * How much the heaviest missing word weighs, the more of the others are there: where all but one are,
 * that one is what is asked about ("delivery to Austria"); where most are not, it was asked in other words.
 */
function missingAlone(missing: readonly QuestionTerm[], asked: readonly QuestionTerm[]): number {
  if (missing.length === 0) return 0;
  const heaviest = heaviestOf(missing);
  const present = weightOf(asked) - weightOf(missing);
  return (heaviest / heaviestOf(asked)) * (present / Math.max(1e-9, weightOf(asked) - heaviest));
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

/** How near the nearest unit of some passages is to the whole question. */
const nearestUnitOf = (passages: readonly RatedPassage[]) =>
  Math.max(
    -1,
    ...passages.flatMap(({ units }) => units.map(({ features }) => features['ownWhole'] ?? -1)),
  );

/** By how many standard deviations the best unit is nearer to the question than units are on average. */
function standingOut(passages: readonly RatedPassage[], { features }: RatedUnit): number {
  const all = passages
    .flatMap(({ units }) => units.filter(isStatement))
    .map((unit) => unit.features['ownWhole'] ?? 0);
  const mean = all.reduce((sum, one) => sum + one, 0) / all.length;
  const variance = all.reduce((sum, one) => sum + (one - mean) ** 2, 0) / all.length;
  return ((features['ownWhole'] ?? 0) - mean) / (Math.sqrt(variance) + LEAST_DEVIATION);
}

/** How much nearer the document of the best unit comes than all others, if there are any. */
function documentGap(passages: readonly RatedPassage[], best: RatedUnit): Features {
  const document = passages[best.passage]?.source.document;
  const isSame = ({ source }: RatedPassage) => source.document === document;
  const others = passages.filter((passage) => !isSame(passage));
  return others.length > 0
    ? { documentGap: nearestUnitOf(passages.filter(isSame)) - nearestUnitOf(others) }
    : { onlyDocument: 1 };
}

const isOther = (language: string | undefined, other: string | null | undefined): boolean =>
  language !== undefined && !!other && other.split('-')[0] !== language;

/** Keywords in Chinese characters alone do not tell Chinese from Japanese. */
const mayBeJapanese = (text: string, anchor: RatedPassage | undefined): boolean =>
  anchor?.source.language === 'ja' && !CHINESE.test(text);

/** Words with letters and digits or underscores: `QH-2002`, `SECRET_KEY`. */
const identifiersIn = (text: string): string[] =>
  text
    .split(BETWEEN_IDENTIFIERS)
    .map((word) => word.replace(LAST_MARK, ''))
    .filter((word) => word.length > 1 && LETTER_OR_UNDERSCORE.test(word))
    .filter((word) => DIGIT.test(word) || word.includes('_'))
    .slice(0, MAX_IDENTIFIERS);

/** The terms of a unit, those beside it and their heading. */
const neighbourhood = (passage: RatedPassage | undefined, unit: RatedUnit): MatchedTerms =>
  allOf(unit.matchedInContext, ...besideOf(passage, unit).map(({ matched }) => matched));

/** A unit, those beside it that are no other rows of its table, its heading and the names of its columns. */
function textAround(passage: RatedPassage | undefined, unit: RatedUnit): string {
  const { units = [], source } = passage ?? {};
  const above = [units[unit.section], units[unit.header]];
  const beside = besideOf(passage, unit).filter(
    ({ block }) => unit.kind !== 'row' || block !== unit.block,
  );
  const texts = [unit, ...beside, ...above].map((one) => one?.text ?? '');
  return [source?.heading ?? '', ...texts].join('\n');
}

/** The units before and after one, in its section. */
function besideOf(passage: RatedPassage | undefined, unit: RatedUnit): RatedUnit[] {
  const index = passage?.units.indexOf(unit) ?? -1;
  return [index - 1, index + 1].flatMap((other) => {
    const one = passage?.units[other];
    return one && one.section === unit.section ? [one] : [];
  });
}

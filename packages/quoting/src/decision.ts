import { isCharacterPair } from '@latchkey/text/language/character-pairs';
import type { AskedQuestion } from './asked-question.js';
import { type Features, type Fitted, probability, weigh } from './fitted.js';
import { allOf, type MatchedTerms } from './term-matcher.js';
import type { RatedPassage, RatedUnit } from './unit-features.js';

const DIGIT = /\p{Nd}/u;
const LETTER_OR_UNDERSCORE = /[\p{L}_]/u;
const BETWEEN_IDENTIFIERS = /[^\p{L}\p{Nd}_.-]/u;
const LAST_MARK = /[.-]$/;
const MAX_IDENTIFIERS = 8;
/** A term of which a text has less is missing: it has only a word of a similar stem. */
const PRESENT = 0.5;
/**
 * A question of few words is about its rare ones. If no passage that was found has them, nor anything near
 * in meaning, the passages only share its common words, as when a filter left the others out.
 */
const FEW_WORDS = 3;
const MOST = 0.5;

/** How probable it is that the passages answer the question: no more than that they are about it at all. */
export const decide = (features: Features, { topic, detail }: Fitted): number =>
  (features['excluded'] ?? 0) > MOST
    ? 0
    : Math.min(probability(weigh(features, topic)), probability(weigh(features, detail)));

/**
 * What tells whether passages answer a question.
 *
 * @param best the unit that answers best, and the units with their scores, if there is any
 */
export function decisionFeatures(
  question: AskedQuestion,
  passages: readonly RatedPassage[],
  best: { readonly unit: RatedUnit; readonly share: number; readonly agreeing: number },
  unknown: number,
): Features {
  const { terms, own, coverage, ownCoverage } = question;
  const anchor = passages[best.unit.passage];
  const all = allOf(...passages.map(({ matched }) => matched));
  const inAnchor = anchor?.matched ?? new Map();
  const near = neighbourhood(anchor, best.unit);
  const shares = passages.map(({ matched }) => coverage.shareOf(matched));
  const bestShare = Math.max(0, ...shares);
  const asked = own.size > 0 ? [...own] : terms;
  const heaviest = Math.max(1e-9, ...terms.map(({ weight }) => weight));
  const missingIn = (matched: MatchedTerms) =>
    asked.filter((term) => (matched.get(term) ?? 0) < PRESENT);
  const heaviestOf = (some: readonly { weight: number }[]) =>
    Math.max(0, ...some.map(({ weight }) => weight)) / heaviest;
  const weightOf = (some: readonly { weight: number }[]) =>
    some.reduce((sum, { weight }) => sum + weight, 1e-9);
  const missing = missingIn(inAnchor);
  const missingAnywhere = missingIn(all);
  const texts = passages.map(({ source }) => `${source.title} ${source.text}`.toLowerCase());
  const identifiers = identifiersIn(question.text);
  const nearest = windowsOf(passages);
  const { features } = best.unit;
  return {
    anchorShare: best.share,
    agreeing: best.agreeing,
    anchorCovered: features['covered'] ?? 0,
    anchorContext: coverage.shareOf(best.unit.matchedInContext),
    nearCovered: coverage.shareOf(near),
    nearCoveredAsked: ownCoverage.shareOf(near),
    passageCovered: coverage.shareOf(inAnchor),
    passageCoveredAsked: ownCoverage.shareOf(inAnchor),
    bestCovered: bestShare,
    allCovered: coverage.shareOf(all),
    lowered: coverage.relevanceOf((coverage.shareOf(inAnchor) + coverage.shareOf(near)) / 2),
    unknown,
    pairs: asked.filter(({ word }) => isCharacterPair(word)).length / Math.max(1, asked.length),
    clauses: Number(question.groups.size > 0),
    excluded:
      asked.length <= FEW_WORDS
        ? weightOf(missingAnywhere.filter(({ isKnown }) => isKnown || !nearest)) / weightOf(asked)
        : 0,
    missingHeaviest: heaviestOf(missing),
    missingHeaviestAnywhere: heaviestOf(missingAnywhere),
    missingHeaviestNear: heaviestOf(missingIn(near)),
    missingNames: Math.min(2, missing.filter(({ mayBeName }) => mayBeName).length),
    missingNumbers: Math.min(2, missing.filter(({ word }) => DIGIT.test(word)).length),
    missingNumbersAnywhere: Math.min(
      2,
      missingAnywhere.filter(({ word }) => DIGIT.test(word)).length,
    ),
    missingIdentifiers: Math.min(
      2,
      identifiers.filter((one) => !texts.some((text) => text.includes(one.toLowerCase()))).length,
    ),
    unknownWords: Math.min(3, asked.filter(({ isKnown }) => !isKnown).length),
    rank: -Math.log1p(best.unit.passage),
    type: features['type'] ?? 0,
    typeMissing: features['typeMissing'] ?? 0,
    manner: Number(question.type === 'manner'),
    row: features['row'] ?? 0,
    ...(nearest && {
      asked: features['asked'] ?? 0,
      whole: features['whole'] ?? 0,
      bestAsked: nearest.asked,
      bestWhole: nearest.whole,
      lead: nearest.asked - nearest.fifth,
      askedTimesCovered: nearest.asked * coverage.shareOf(inAnchor),
    }),
  };
}

/** Words with letters and digits or underscores: `QH-2002`, `SECRET_KEY`. */
const identifiersIn = (text: string): string[] =>
  text
    .split(BETWEEN_IDENTIFIERS)
    .map((word) => word.replace(LAST_MARK, ''))
    .filter((word) => word.length > 2 && LETTER_OR_UNDERSCORE.test(word))
    .filter((word) => DIGIT.test(word) || word.includes('_'))
    .slice(0, MAX_IDENTIFIERS);

/** The terms of a unit, those beside it and their heading. */
function neighbourhood(passage: RatedPassage | undefined, unit: RatedUnit): MatchedTerms {
  const index = passage?.units.indexOf(unit) ?? -1;
  const beside = [index - 1, index + 1].flatMap((other) => {
    const one = passage?.units[other];
    return one?.section === unit.section ? [one.matched] : [];
  });
  return allOf(unit.matchedInContext, ...beside);
}

function windowsOf(passages: readonly RatedPassage[]) {
  const windows = passages.flatMap(({ source }) => source.windows ?? []);
  if (windows.length === 0) return undefined;
  const asked = windows.map(({ toAsked }) => toAsked).sort((one, other) => other - one);
  const whole = Math.max(...windows.map(({ toWhole }) => toWhole));
  const [best = 0] = asked;
  return { asked: best, whole, fifth: asked[Math.min(4, asked.length - 1)] ?? best };
}

import { foldLetters, normalizeText } from '@latchkey/text/fold-text';
import { detectQuestionLanguage } from '@latchkey/text/language/question-language';
import type { WeightedQuestion } from './asked-question.js';
import { mayCompareYears } from './asks-for-newest.js';
import { findAskedValue } from './asked-value.js';
import { isOtherLanguage } from './calendar-names.js';
import { estimateConfidence, computeDecisionFeatures } from './decision.js';
import { type Features, type Calibrated, weigh } from './fitted.js';
import { MAX_WORDS, type Quote } from './reading.js';
import { type Span, chooseSpans } from './spans.js';
import { PRESENT } from './term-matcher.js';
import type { RatedPassage, RatedUnit } from './unit-features.js';
import { HEADING_SEPARATOR, isStatement } from './units.js';

/** Passages whose units are rated for a question. */
export interface RatedQuestion {
  readonly question: WeightedQuestion;
  readonly passages: readonly RatedPassage[];
}

/** A shorter name is also a word of other languages. */
const MIN_NAME = 4;
const CAPITALIZED = /\p{Lu}[\p{L}\p{M}]*/gu;
/** A unit whose score is lower than the best one's by more is not quoted. */
const MAX_DIFFERENCE = 3;
/** If a row that the question names is as good, it and other such rows answer, and nothing else is quoted. */
const MAX_DIFFERENCE_NAMED = 1;

const IDENTIFIER = /^(?=.*\p{L})(?=.*\p{Nd})\S{3,}$/u;

/** The number of other quotable units in which words of the question are looked for. */
const MAX_OTHERS = 2;

/** Chooses what to quote for a question, and estimates its confidence, by fitted weights. */
export class QuoteSelector {
  /** The units that can be quoted with their scores, best first. */
  private readonly scored: readonly { readonly unit: RatedUnit; readonly score: number }[];
  private readonly scores: ReadonlyMap<RatedUnit, number>;
  /** The units to quote, best first. */
  private readonly anchors: readonly RatedUnit[];

  constructor(
    private readonly rated: RatedQuestion,
    private readonly fitted: Calibrated,
  ) {
    const scored = selectPassagesAskedAbout(rated)
      .flatMap(({ units }) => units)
      .map((unit) => ({ unit, score: weigh(unit.features, fitted.anchor) }));
    this.scores = new Map(scored.map(({ unit, score }) => [unit, score]));
    this.scored = scored
      .filter(({ unit }) => isQuotable(unit))
      .sort((one, other) => other.score - one.score);
    this.anchors = this.chooseAnchors();
  }

  /** The probability that what is quoted is a right answer. */
  estimateConfidence(): number {
    const features = this.computeDecisionFeatures();
    return features ? estimateConfidence(features, this.fitted) : 0;
  }

  computeDecisionFeatures(): Features | undefined {
    // A row that the question names may be quoted instead of the unit with the best score.
    const [best, ...others] = this.anchors;
    if (!best) return undefined;
    let [sum, agreeing] = [0, 0];
    for (const { unit, score } of this.scored) {
      const share = Math.exp(score - this.getScore(best));
      sum += share;
      if (unit.passage === best.passage) agreeing += share;
    }
    const { question, passages } = this.rated;
    return computeDecisionFeatures(question, passages, {
      best,
      others: others.slice(0, MAX_OTHERS),
      agreeing: agreeing / sum,
    });
  }

  /** The unit of each passage that comes nearest to an answer, best first. */
  findNearest(): RatedUnit[] {
    const scored = this.rated.passages.flatMap(({ units }) => {
      const statements = units.filter(isStatement);
      const best = Math.max(...statements.map((unit) => this.getScore(unit)));
      return statements.filter((unit) => this.getScore(unit) === best).slice(0, 1);
    });
    return scored.sort((one, other) => this.getScore(other) - this.getScore(one));
  }

  get asksWho(): boolean {
    return this.rated.question.type === 'person';
  }

  /** The heading that a unit stands under, in its passage or above it. */
  findHeading(unit: RatedUnit | undefined): string {
    const { units = [], source } = this.rated.passages[unit?.passage ?? -1] ?? {};
    return (
      units[unit?.section ?? -1]?.text ?? source?.heading?.split(HEADING_SEPARATOR).at(-1) ?? ''
    );
  }

  /** The value that is asked for, in the unit that answers best. */
  findValue(): Quote | undefined {
    const [best] = this.anchors;
    return best && this.findValueIn(best);
  }

  get mayCompareYears(): boolean {
    const { text, codes } = this.rated.question;
    return mayCompareYears(text, codes);
  }

  /** The sentences, rows and the like of a passage. */
  listUnits(passage: number): readonly RatedUnit[] {
    return this.rated.passages[passage]?.units.filter(isStatement) ?? [];
  }

  findValueIn(unit: RatedUnit): Quote | undefined {
    const passage = this.rated.passages[unit.passage];
    return passage && findAskedValue(this.rated.question, unit, passage);
  }

  chooseSpans(maxWords = MAX_WORDS): Span[] {
    const { question, passages } = this.rated;
    return chooseSpans(passages, this.anchors, question.type, this.scores, maxWords);
  }

  private chooseAnchors(): RatedUnit[] {
    const [best] = this.scored;
    // "What do A and D cost?": both rows, though one of the names is a word that is not searched for.
    const isNamedToo = ({ isNamed, passage, block }: RatedUnit) =>
      isNamed && best?.unit.isNamed && best.unit.passage === passage && best.unit.block === block;
    const anchors = this.scored
      .filter(({ unit, score }) => score >= (best?.score ?? 0) - MAX_DIFFERENCE || isNamedToo(unit))
      .map(({ unit }) => unit);
    const named = anchors.filter(({ isNamed }) => isNamed);
    const score = named[0] ? this.getScore(named[0]) : -Infinity;
    const isManner = this.rated.question.type === 'manner';
    const difference = named.some(isIdentified) ? MAX_DIFFERENCE : MAX_DIFFERENCE_NAMED;
    if (!isManner && score >= (best?.score ?? 0) - difference) return named;
    if (best?.unit.kind === 'row' && !best.unit.isNamed) {
      return this.preferIdentifiedRows(best.unit, anchors);
    }
    const row = this.scored.find(({ unit }) => isIdentified(unit))?.unit;
    // Prose that names the code of a row does not hide the value that the row has.
    return best && row && !this.findValueIn(best.unit) && this.findValueIn(row)
      ? this.preferIdentifiedRows(row, anchors)
      : anchors;
  }

  /** Prefers rows that the question identifies to a better one of the same table: KX-100 to KX-100S. */
  private preferIdentifiedRows({ passage, block }: RatedUnit, anchors: RatedUnit[]): RatedUnit[] {
    const identified = this.scored
      .map(({ unit }) => unit)
      .filter((unit) => unit.passage === passage && unit.block === block && isIdentified(unit));
    return identified.length > 0 ? identified : anchors;
  }

  private getScore(unit: RatedUnit): number {
    return this.scores.get(unit) ?? -Infinity;
  }
}

/**
 * Selects the passages in other languages if only these have a name of the question: "how much notice do I have
 * to give at VéloDrive?" is not answered by an English text about notice. Otherwise returns all passages.
 */
function selectPassagesAskedAbout({ question, passages }: RatedQuestion): readonly RatedPassage[] {
  const language = detectQuestionLanguage(question.text);
  const isOwn = ({ source }: RatedPassage) => !isOtherLanguage(language, source.language);
  const own = passages.filter(isOwn);
  if (own.length === passages.length) return passages;
  const names = question.telling
    .filter(({ mayBeName, isKnown, word }) => mayBeName && isKnown && word.length >= MIN_NAME)
    .filter((term) => !own.some(({ matched }) => (matched.get(term) ?? 0) >= PRESENT))
    .map(({ word }) => word);
  const named = passages.filter(({ source }) => {
    const inText = findCapitalized(`${source.title} ${source.heading ?? ''} ${source.text}`);
    return names.some((name) => inText.has(name));
  });
  return named.length > 0 ? named : passages;
}

/** Whether a row is named by an identifier of the question, which is no common word: `KX-100`. */
const isIdentified = ({ isNamed, text }: RatedUnit): boolean =>
  isNamed && IDENTIFIER.test(text.split(' | ')[0] ?? '');

const findCapitalized = (text: string): ReadonlySet<string> =>
  new Set((text.match(CAPITALIZED) ?? []).map((word) => foldLetters(normalizeText(word))));

/** Whether a unit says something that can answer a question with which it has anything in common. */
export const isQuotable = ({ features, matchedInContext, ...unit }: RatedUnit): boolean =>
  isStatement(unit) &&
  features['header'] !== 1 &&
  (features['asked'] !== undefined ||
    matchedInContext.size > 0 ||
    (features['coveredBefore'] ?? 0) > 0);

import { foldLetters } from '@latchkey/text/fold-text';
import { JOINING_PAIR_WEIGHT, joiningPairs } from '@latchkey/text/language/character-pairs';
import type { QuestionTerm } from '@latchkey/ranking/search-index';
import { stem, tokenize } from '@latchkey/text/tokenize';
import { withClauseWindows } from './clause-windows.js';
import { QuestionCoverage } from './question-coverage.js';
import { letterGroups } from './letter-groups.js';
import { answerTypeOf, hasAnswerType } from './question-type.js';
import { type Candidate, quote, type Quote, type ReadPassage } from './quote.js';
import { readableSentences } from './readable-sentences.js';
import { allOf, type MatchedTerms, TermMatcher } from './term-matcher.js';

/** A passage as it is read for an answer. */
export interface PassageText {
  readonly text: string;
  /** Its title and heading, whose words its sentences need not repeat. */
  readonly context: string;
  /** BCP 47; null if unknown. */
  readonly language: string | null;
  /** The words of the question that are in its text, title or heading. */
  readonly matched: readonly string[];
}

export interface ReadingRequest {
  readonly question: string;
  /** The words that were searched for; for a follow-up question also those of earlier questions. */
  readonly terms: readonly QuestionTerm[];
  /** Best first. */
  readonly passages: readonly PassageText[];
  /** The best passages before they were reranked, if they were; they alone decide the relevance. */
  readonly original?: readonly PassageText[];
}

export type { Quote } from './quote.js';

export interface Reading {
  /** How probable it is that the passages answer the question, 0 to 1. */
  readonly relevance: number;
  /** What answers the question, as a person reads it, with citations; undefined if nothing does. */
  readonly quotation: string | undefined;
  /** Where the parts of the quotation stand, in its order. */
  readonly quotes: readonly Quote[];
}

/** Of a question for which nothing was found. */
export const NOTHING_READ: Reading = { relevance: 0, quotation: undefined, quotes: [] };

const UNKNOWN_WORD_WEIGHT = 0.8;
/** Names, and in German all nouns, count more than verbs, which a text often replaces by others. */
const NAME_WEIGHT = 1.5;
/** At most this many passages are read, and this many characters of them in all. */
const MAX_PASSAGES = 10;
const MAX_LENGTH = 40_000;
/** The first half of a character of two UTF-16 units, at the end of a text that was cut. */
const HALF_CHARACTER = /[\ud800-\udbff]$/;

/**
 * Rates how relevant passages are to a question, and quotes the sentences that answer it.
 *
 * @param isCancelled whether the client has disconnected; the remaining passages are then left out
 */
export function readPassages(
  { question, terms, passages, original }: ReadingRequest,
  isCancelled: () => boolean = () => false,
): Reading {
  const weighted = weigh(question, terms);
  const read = (some: readonly PassageText[]) => readAll(question, weighted, some, isCancelled);
  const best = read(passages);
  const decisive = original ? read(original) : best;
  const quoted = quote(best);
  return {
    relevance: Math.max(0, ...decisive.map(({ relevance }) => relevance)),
    quotation:
      quoted.length > 0
        ? quoted.map(({ text, passage }) => `${text} [${passage + 1}]`).join('\n\n')
        : undefined,
    quotes: quoted.map(({ passage, from, to }) => ({
      passage,
      start: from,
      end: to,
      text: passages[passage]?.text.slice(from, to) ?? '',
    })),
  };
}

function readAll(
  question: string,
  weighted: readonly QuestionTerm[],
  passages: readonly PassageText[],
  isCancelled: () => boolean,
): ReadPassage[] {
  const matcher = new TermMatcher(weighted);
  const coverage = new QuestionCoverage(weighted);
  const languages = passages.map(({ language }) => language);
  const type = answerTypeOf(question, languages);
  const askedGroups = letterGroups(question);
  let left = MAX_LENGTH;
  return passages.slice(0, MAX_PASSAGES).map(({ text, context, language, matched }, passage) => {
    const beginning = isCancelled() ? '' : text.slice(0, left).replace(HALF_CHARACTER, '');
    left -= beginning.length;
    const contextTerms = matcher.match(stemsOf(context, language));
    const asked = new Set(stemsOf(question, language));
    const pieces = readableSentences(beginning).map((sentence, start): Candidate => {
      const stems = stemsOf(sentence.text, language);
      const matchedTerms = matcher.match(stems);
      return {
        ...sentence,
        passage,
        matched: matchedTerms,
        terms: termsIn(matchedTerms),
        groups: groupsIn(sentence.text, askedGroups),
        saysMore: stems.some((one) => !asked.has(one)),
        hasAnswerType: type !== undefined && hasAnswerType(sentence.text, type, question),
        start,
        end: start + 1,
        margin: 0,
      };
    });
    const candidates = withClauseWindows(pieces);
    const words = new Set(matched);
    const found = weighted.filter(({ word }) => words.has(word));
    const inText = pieces.map((piece) => piece.matched);
    const whole = coverage.shareOf(
      allOf(new Map(found.map((term) => [term, 1])), contextTerms, ...inText),
    );
    const share = (whole + bestWindow({ pieces, candidates }, contextTerms, coverage)) / 2;
    const relevance = coverage.relevanceOf(share);
    return { pieces, candidates, context: termsIn(contextTerms), relevance };
  });
}

const termsIn = (matched: MatchedTerms): Set<QuestionTerm> =>
  new Set([...matched].filter(([, credit]) => credit === 1).map(([term]) => term));

const groupsIn = (text: string, asked: ReadonlySet<string>): Set<string> =>
  new Set(asked.size > 0 ? [...letterGroups(text)].filter((group) => asked.has(group)) : []);

const stemsOf = (text: string, language: string | null): string[] =>
  tokenize(text, language).map((word) => stem(word, language));

/**
 * The words of the question itself count twice as much as those of earlier questions. A word that the
 * knowledge base does not contain may be another form of one that it does, so it counts less than a
 * known word that is as rare.
 */
function weigh(question: string, terms: readonly QuestionTerm[]): QuestionTerm[] {
  const own = new Set(tokenize(question).map(foldLetters));
  const joining = joiningPairs(
    question,
    terms.map(({ word }) => word),
  );
  return terms.map((term) => ({
    ...term,
    weight:
      term.weight *
      (own.has(term.word) ? 2 : 1) *
      (term.mayBeName ? NAME_WEIGHT : 1) *
      (joining.has(term.word) ? JOINING_PAIR_WEIGHT : 1) *
      (term.isKnown ? 1 : UNKNOWN_WORD_WEIGHT),
  }));
}

/**
 * The largest share of the question that two adjacent sentences, or a window of clauses, cover. A long
 * passage may contain the words of a question by chance, but then they are far apart.
 */
function bestWindow(
  { pieces, candidates }: Pick<ReadPassage, 'pieces' | 'candidates'>,
  context: MatchedTerms,
  coverage: QuestionCoverage,
): number {
  const shares = candidates.map(({ matched, start, end }) => {
    const before = end - start === 1 ? pieces[start - 1]?.matched : undefined;
    return coverage.shareOf(allOf(context, before ?? new Map<QuestionTerm, number>(), matched));
  });
  return Math.max(0, ...shares);
}

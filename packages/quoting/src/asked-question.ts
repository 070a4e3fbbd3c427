import { askedSentences } from '@latchkey/text/asked-sentences';
import { foldLetters } from '@latchkey/text/fold-text';
import { JOINING_PAIR_WEIGHT, joiningPairs } from '@latchkey/text/language/character-pairs';
import { questionLanguage } from '@latchkey/text/language/question-language';
import type { QuestionTerm } from '@latchkey/ranking/search-index';
import { tokenize } from '@latchkey/text/tokenize';
import { asksPrice, isPriceWord } from './asked-form.js';
import { codeOf } from './calendar-names.js';
import { letterGroups } from './letter-groups.js';
import { askedNumbers, type AskedNumber } from './number-ranges.js';
import { ownCircumstances } from './own-circumstances.js';
import { QuestionCoverage } from './question-coverage.js';
import { type AnswerType, answerTypeOf, hasQuestionWord } from './question-type.js';
import { datesIn, type WrittenDate } from './same-dates.js';
import { TermMatcher } from './term-matcher.js';

const UNKNOWN_WORD_WEIGHT = 0.8;
/** Names, and in German all nouns, count more than verbs, which a text often replaces by others. */
const NAME_WEIGHT = 1.5;
/** Of words in the message's story, and of those of earlier questions, beside those of what is asked. */
const STORY_WEIGHT = 0.3;
const EARLIER_WEIGHT = 0.5;

/** A message of which less asks tells a story; less than all, since a greeting is none. */
const MAX_ASKING_SHARE = 0.75;

const DIGIT = /\p{Nd}/u;

/** A question as it was asked. */
export interface Message {
  readonly whole: string;
  /** The sentences that ask. */
  readonly asked: string;
  /** The questions asked before that it goes on from. */
  readonly context: readonly string[];
}

/** A question as its words are looked for in passages. */
export interface AskedQuestion {
  /** The sentences that ask. */
  readonly text: string;
  /** Whether the message says much more than what it asks, so that its question has few words of its own. */
  readonly hasStory: boolean;
  /** Weighted, in the order of the question. */
  readonly terms: readonly QuestionTerm[];
  /**
   * Those of the sentences that ask, and of those that they go on from, or else all, of which one that is
   * missing tells something.
   */
  readonly telling: readonly QuestionTerm[];
  /** These with those that only ask for a price, which an amount need not be said with. */
  readonly counted: readonly QuestionTerm[];
  readonly matcher: TermMatcher;
  readonly coverage: QuestionCoverage;
  /** By own terms alone. */
  readonly ownCoverage: QuestionCoverage;
  readonly type: AnswerType | undefined;
  readonly groups: ReadonlySet<string>;
  readonly numbers: readonly AskedNumber[];
  readonly dates: readonly WrittenDate[];
  /** The languages that the names of months may be in, without region. */
  readonly codes: readonly string[];
  /** Whether it is asked if something is so. */
  readonly asksWhether: boolean;
}

/**
 * @param terms the words that were searched for, also those of the story and of earlier questions
 * @param languages of the passages
 */
export function askedQuestion(
  { whole, asked, context }: Message,
  terms: readonly QuestionTerm[],
  languages: readonly (string | null)[],
): AskedQuestion {
  const inAsked = wordsOf(asked);
  const inContext = wordsOf(context.join('\n'));
  const joining = joiningPairs(
    whole,
    terms.map(({ word }) => word),
  );
  const weighted = terms.map((term) => ({
    ...term,
    weight:
      term.weight *
      (inAsked.has(term.word) ? 1 : inContext.has(term.word) ? EARLIER_WEIGHT : STORY_WEIGHT) *
      (term.mayBeName ? NAME_WEIGHT : 1) *
      (joining.has(term.word) ? JOINING_PAIR_WEIGHT : 1) *
      (term.isKnown ? 1 : UNKNOWN_WORD_WEIGHT),
  }));
  // "And in Sweden?" asks the same of another country: the names and numbers before it are replaced.
  const own = weighted.filter(
    ({ word, mayBeName }) =>
      inAsked.has(word) || (inContext.has(word) && !mayBeName && !DIGIT.test(word)),
  );
  const asking = own.length > 0 ? own : weighted;
  const circumstances = ownCircumstances(asked);
  const codes = [questionLanguage(asked), ...languages.map(codeOf)].flatMap((code) => code ?? []);
  const type = answerTypeOf(asked, languages) ?? answerTypeOf(context.at(-1) ?? '', languages);
  const counted = asking.filter(({ word }) => !joining.has(word) && !circumstances.has(word));
  const isForPrice = asksPrice(asked.normalize('NFC'));
  const telling = counted.filter(({ word }) => !(isForPrice && isPriceWord(word)));
  return {
    text: asked,
    hasStory: askedSentences(whole).length < MAX_ASKING_SHARE * whole.length,
    terms: weighted,
    telling: telling.length > 0 ? telling : asking,
    counted: counted.length > 0 ? counted : asking,
    matcher: new TermMatcher(weighted),
    coverage: new QuestionCoverage(weighted),
    ownCoverage: new QuestionCoverage(asking),
    type,
    asksWhether: type === undefined && !hasQuestionWord(asked),
    groups: letterGroups(asked),
    numbers: askedNumbers(asked),
    dates: datesIn(asked, codes),
    codes: [...new Set(codes)],
  };
}

const wordsOf = (text: string): ReadonlySet<string> => new Set(tokenize(text).map(foldLetters));

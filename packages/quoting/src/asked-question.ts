import { findAskedSentences } from '@latchkey/text/asked-sentences';
import { foldLetters, normalizeText } from '@latchkey/text/fold-text';
import { JOINING_PAIR_WEIGHT, findJoiningPairs } from '@latchkey/text/language/character-pairs';
import { detectQuestionLanguage } from '@latchkey/text/language/question-language';
import type { QuestionTerm } from '@latchkey/ranking/search-index';
import { tokenize } from '@latchkey/text/tokenize';
import { asksPrice, isPriceWord } from './asked-price.js';
import { findNewestWords } from './asks-for-newest.js';
import { toLanguageCode } from './calendar-names.js';
import { findAskedNumbers, type AskedNumber } from './number-ranges.js';
import { QuestionCoverage } from './question-coverage.js';
import { type AnswerType, findAnswerType, hasQuestionWord } from './question-type.js';
import { type AskedCurrency, findAskedCurrencies } from './same-currencies.js';
import { findDates, type WrittenDate } from './same-dates.js';
import { type CountedNumber, findCountedNumbers } from './same-numbers.js';
import { TermMatcher } from './term-matcher.js';

const UNKNOWN_WORD_WEIGHT = 0.8;
/** Names, and in German all nouns, count more than verbs, which a text often replaces by others. */
const NAME_WEIGHT = 1.5;
/** The weights of words of the message's story and of earlier questions; those of what is asked have 1. */
const STORY_WEIGHT = 0.3;
const EARLIER_WEIGHT = 0.5;

/** A message tells a story if a smaller share of it asks. The limit is below 1, since a greeting is no story. */
const MAX_ASKING_SHARE = 0.75;

const DIGIT = /\p{Nd}/u;

/** A question as it was asked. */
export interface MessageParts {
  readonly whole: string;
  /** The sentences that ask. */
  readonly asked: string;
  /** The questions asked before that it goes on from. */
  readonly context: readonly string[];
}

/** What passages say of years beside their texts. */
interface EditionsAsked {
  /** Whether they are of named years; "the latest" then need not stand in them. */
  readonly hasEditions: boolean;
  /** The years of dates that were given, which need not stand in them either. */
  readonly givenYears: ReadonlySet<string>;
}

const NO_EDITIONS: EditionsAsked = { hasEditions: false, givenYears: new Set() };

/** A question with the weighted terms that are looked for in passages. */
export interface WeightedQuestion {
  /** The sentences that ask. */
  readonly text: string;
  /** Whether the message says much more than what it asks, so that its question has few words of its own. */
  readonly hasStory: boolean;
  /** Weighted, in the order of the question. */
  readonly terms: readonly QuestionTerm[];
  /**
   * The terms whose absence from a passage counts against it: those of the sentences that ask and of the
   * questions that they go on from; all terms if these have none.
   */
  readonly telling: readonly QuestionTerm[];
  /** `telling` with the words that only ask for a price, which a text may leave out beside an amount. */
  readonly counted: readonly QuestionTerm[];
  readonly matcher: TermMatcher;
  readonly coverage: QuestionCoverage;
  /** The coverage of the terms of this question alone. */
  readonly ownCoverage: QuestionCoverage;
  readonly type: AnswerType | undefined;
  readonly numbers: readonly AskedNumber[];
  readonly countedNumbers: readonly CountedNumber[];
  readonly currencies: readonly AskedCurrency[];
  readonly dates: readonly WrittenDate[];
  /** The languages that the names of months may be in, without region. */
  readonly codes: readonly string[];
  /** Whether it is a yes-or-no question. */
  readonly asksWhether: boolean;
}

/**
 * @param terms the words that were searched for, also those of the story and of earlier questions
 * @param languages of the passages
 */
export function weighQuestion(
  { whole, asked, context }: MessageParts,
  terms: readonly QuestionTerm[],
  languages: readonly (string | null)[],
  { hasEditions, givenYears }: EditionsAsked = NO_EDITIONS,
): WeightedQuestion {
  const inAsked = collectWords(asked);
  const inContext = collectWords(context.join('\n'));
  const joining = findJoiningPairs(
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
  const language = detectQuestionLanguage(asked);
  const codes = [language, ...languages.map(toLanguageCode)].flatMap((code) => code ?? []);
  const type = findAnswerType(asked, languages) ?? findAnswerType(context.at(-1) ?? '', languages);
  const isForNewest = hasEditions
    ? findWordsWithin(asked, asking, findNewestWords(asked, codes))
    : new Set<string>();
  const counted = asking.filter(
    ({ word }) => !joining.has(word) && !isForNewest.has(word) && !givenYears.has(word),
  );
  const isForPrice = asksPrice(asked);
  const telling = counted.filter(({ word }) => !(isForPrice && isPriceWord(word)));
  return {
    text: asked,
    hasStory: findAskedSentences(whole).length < MAX_ASKING_SHARE * whole.length,
    terms: weighted,
    telling: telling.length > 0 ? telling : asking,
    counted: counted.length > 0 ? counted : asking,
    matcher: new TermMatcher(weighted),
    coverage: new QuestionCoverage(weighted),
    ownCoverage: new QuestionCoverage(asking),
    type,
    asksWhether: type === undefined && !hasQuestionWord(asked),
    numbers: findAskedNumbers(asked),
    countedNumbers: findCountedNumbers(asked, language),
    currencies: findAskedCurrencies(asked, language),
    dates: findDates(asked, codes),
    codes: [...new Set(codes)],
  };
}

/** The terms that stand nowhere but within places of a text, or half: the pairs of characters of 最新の. */
function findWordsWithin(
  text: string,
  terms: readonly QuestionTerm[],
  places: readonly (readonly [start: number, end: number])[],
): ReadonlySet<string> {
  if (places.length === 0) return new Set();
  const normalized = normalizeText(text);
  const isWithin = (word: string, start: number) =>
    places.some(([from, to]) => start < to && start + word.length > from);
  return new Set(
    terms.flatMap(({ word }) => {
      const starts = findAll(normalized, word);
      return starts.length > 0 && starts.every((start) => isWithin(word, start)) ? [word] : [];
    }),
  );
}

function findAll(text: string, word: string): number[] {
  const folded = foldLetters(text);
  // Folding may change the length; places would then be wrong.
  const read = folded.length === text.length ? folded : text;
  const starts: number[] = [];
  for (let at = read.indexOf(word); at >= 0; at = read.indexOf(word, at + 1)) starts.push(at);
  return starts;
}

const collectWords = (text: string): ReadonlySet<string> =>
  new Set(tokenize(text).map(foldLetters));

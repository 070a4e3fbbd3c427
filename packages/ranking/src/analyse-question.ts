import { foldLetters } from '@latchkey/text/fold-text';
import { findJoiningPairs } from '@latchkey/text/language/character-pairs';
import { isStopWord, isSureStopWord } from '@latchkey/text/language/languages';
import { findSeparatedVerb } from '@latchkey/text/language/separated-verb';
import { withoutContractions } from '@latchkey/text/language/without-contractions';
import { withoutQuestionWords } from '@latchkey/text/language/without-question-words';
import { truncateQuestion } from './question-terms.js';
import { stem, tokenize } from '@latchkey/text/tokenize';

/** A distinct word of a question. */
export interface QuestionWord {
  /** Folded. */
  readonly word: string;
  /** How often the question has it. */
  readonly times: number;
  /** Its stem in each of the languages. */
  readonly stems: readonly string[];
  /** For a verb whose particle stands at the end of the question, the stems of both joined; else empty. */
  readonly joined: readonly string[];
  /** Whether it is a stop word of the language that the question seems to be in. */
  readonly isStopWord: boolean;
  /** Whether it is a stop word however few passages have it, as "how many" is. */
  readonly isSureStopWord: boolean;
  /** Whether it begins with a capital letter within a sentence, as names do. */
  readonly mayBeName: boolean;
  /** Whether it is a pair of characters that joins two words. */
  readonly joinsWords: boolean;
}

export interface AnalysedQuestion {
  /** In the order of their first occurrence. */
  readonly words: readonly QuestionWord[];
  /** The content words in order, each as often as it occurs. */
  readonly content: readonly QuestionWord[];
}

const CAPITALIZED = /(?<=[\p{L}\p{N},;] )\p{Lu}[\p{L}\p{M}]*/gu;

/**
 * Analyses a question in each language of a knowledge base. It is too short to detect its language, so it is
 * stemmed in all of them; its stop words are those of the language that has most of them. Contractions ("'s",
 * "n't") are stop words as well.
 *
 * @param languages BCP 47, null for unknown; the most frequent first, at least one
 * @param limit how many words are read
 */
export function analyseQuestion(
  question: string,
  languages: readonly (string | null)[],
  limit: number,
): AnalysedQuestion {
  const text = withoutQuestionWords(truncateQuestion(question));
  const words = tokenize(text, languages[0] ?? null).slice(0, limit);
  const uncontracted = new Set(tokenize(withoutContractions(text), languages[0] ?? null));
  const stopWords = findLikelyStopWords(words, languages);
  const capitalized = new Set(
    (text.match(CAPITALIZED) ?? []).map((word) => foldLetters(word.toLowerCase())),
  );
  const joining = findJoiningPairs(text, words);
  const separated = findSeparatedVerb(text);
  const distinct = new Map<string, QuestionWord & { times: number }>();
  for (const word of words) {
    const known = distinct.get(word);
    if (known) {
      known.times++;
      continue;
    }
    const folded = foldLetters(word);
    const isVerb = word === separated?.verb;
    const isPart = !uncontracted.has(word) || word === separated?.particle;
    distinct.set(word, {
      word: folded,
      times: 1,
      stems: languages.map((language) => stem(word, language)),
      joined: isVerb
        ? languages.map((language) => stem(`${separated.particle}${word}`, language))
        : [],
      isStopWord: isPart || (!isVerb && stopWords.has(word)),
      isSureStopWord:
        isPart || (!isVerb && languages.some((language) => isSureStopWord(word, language))),
      mayBeName: capitalized.has(folded),
      joinsWords: joining.has(folded),
    });
  }
  const inOrder = words.flatMap((word) => distinct.get(word) ?? []);
  return {
    words: [...distinct.values()],
    content: inOrder.filter(({ isStopWord }) => !isStopWord),
  };
}

function findLikelyStopWords(
  words: readonly string[],
  languages: readonly (string | null)[],
): ReadonlySet<string> {
  const byLanguage = languages.map((language) =>
    words.filter((word) => isStopWord(word, language)),
  );
  const most = Math.max(0, ...byLanguage.map(({ length }) => length));
  return new Set(byLanguage.filter(({ length }) => length === most).flat());
}

import { isStopWord } from './languages.js';
import { QUESTION_WORDS } from './question-words.js';

/** Characters of a question that are read. */
const MAX_LENGTH = 500;
/** A question word says more about the language than another stop word. */
const QUESTION_WORD_WEIGHT = 2;
/** Letters and endings, with the languages below that mostly have them. */
const LETTERS: readonly (readonly [letters: RegExp, languages: readonly string[]])[] = [
  [/[ßäöü]/g, ['de']],
  [/[äö]/g, ['sv', 'fi', 'de']],
  [/(?:[aä]{2}|ss[aä]|uksen)(?!\p{L})/gu, ['fi']],
  [/å/g, ['sv', 'da', 'no']],
  [/[æø]/g, ['da', 'no']],
  [/[éèêàç]/g, ['fr']],
  [/[ñ¿¡]/g, ['es']],
  [/[áíóú]/g, ['es', 'pt', 'cs', 'hu']],
  [/[ãõâêç]/g, ['pt']],
  [/[èìòù]/g, ['it']],
  [/[ąęłśżźćń]/g, ['pl']],
  [/[ěščřžůýď]/g, ['cs']],
  [/[ğışç]/g, ['tr']],
  [/[őű]/g, ['hu']],
  [/[ăîșțşţ]/g, ['ro']],
  [/(?:dade|dades|ção|ções|nh[ao]|lh[ao]s?)(?!\p{L})/gu, ['pt']],
  [/(?:dad|dades|ción|ciones|ill[ao]s?)(?!\p{L})/gu, ['es']],
  [/(?:zione|zioni|tà|gli[aeo]?)(?!\p{L})/gu, ['it']],
  [/(?:eaux?|ées?|euse)(?!\p{L})/gu, ['fr']],
  [/ij|(?:heid|tje)(?!\p{L})/gu, ['nl']],
  [/(?:ung|ungen|keit|heit)(?!\p{L})/gu, ['de']],
  [/[scrd]z/g, ['pl', 'hu']],
  [/(?:nya|kan)(?!\p{L})|(?<!\p{L})(?:me|pe)(?:ng|m[bp]|n[dcjt])/gu, ['id']],
];
const LATIN = [
  ...['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'cs', 'sv', 'da', 'no', 'fi', 'tr', 'id'],
  ...['ro', 'hu'],
];
const VIETNAMESE = /[đơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ]/;

const questionWords = new Map(
  Object.entries(QUESTION_WORDS).map(([language, words]) => [language, new Set(words.split(' '))]),
);

/**
 * Detects the language of a question by its script, its letters, and the words that most sentences of a language
 * have. A question is too short for the statistics by which the language of a document is detected.
 *
 * @returns BCP 47; undefined if it cannot be detected
 */
export function detectQuestionLanguage(question: string): string | undefined {
  const text = question.slice(0, MAX_LENGTH).normalize('NFC').toLowerCase();
  return detectByScript(text) ?? (VIETNAMESE.test(text) ? 'vi' : detectByWords(text));
}

/** Detects the language by the script of most letters, unless that is the Latin one. */
function detectByScript(text: string): string | undefined {
  const count = (script: RegExp) => text.match(script)?.length ?? 0;
  const kana = count(/[\p{scx=Hira}\p{scx=Kana}]/gu);
  const scripts: [letters: number, language: string | undefined][] = [
    [count(/\p{Script=Latin}/gu) / 2, undefined],
    // A character of these says as much as two letters.
    [2 * (count(/\p{Script=Han}/gu) + kana), kana > 0 ? 'ja' : 'zh'],
    [2 * count(/\p{Script=Hangul}/gu), 'ko'],
    [count(/\p{Script=Thai}/gu), 'th'],
    [count(/\p{Script=Greek}/gu), 'el'],
    [count(/\p{Script=Hebrew}/gu), 'he'],
    [count(/\p{Script=Devanagari}/gu), 'hi'],
    [count(/\p{Script=Arabic}/gu), detectArabic(count)],
    [count(/\p{Script=Cyrillic}/gu), detectCyrillic(text)],
  ];
  return scripts.reduce((best, one) => (one[0] > best[0] ? one : best))[1];
}

/** Counts the letters that only one language has, since an Arabic question may have a Persian name, or vice versa. */
function detectArabic(count: (letters: RegExp) => number): string {
  if (count(/[ٹڈڑںےھہ]/g) > 0) return 'ur';
  return count(/[پچژگکی]/g) > count(/[ةأإى]/g) ? 'fa' : 'ar';
}

function detectCyrillic(text: string): string {
  if (/[іїєґ]/.test(text)) return 'uk';
  if (/[ыэё]/.test(text)) return 'ru';
  return findMostLikely(['ru', 'uk', 'bg'], text) ?? 'ru';
}

const detectByWords = (text: string) => findMostLikely(LATIN, text);

function findMostLikely(languages: readonly string[], text: string): string | undefined {
  const words = text.match(/[\p{L}\p{M}]+/gu) ?? [];
  const stopWords = new Map(
    languages.map((one) => [one, words.filter((word) => isStopWord(word, one)).length]),
  );
  // “was” in an English sentence says nothing of German.
  const isOfOther = (word: string, language: string) =>
    languages.some(
      (other) =>
        isStopWord(word, other) && (stopWords.get(other) ?? 0) > (stopWords.get(language) ?? 0),
    );
  const scores = languages.map((language) => {
    let score = 0;
    for (const word of words) {
      if (isStopWord(word, language)) score++;
      if (questionWords.get(language)?.has(word) && !isOfOther(word, language))
        score += QUESTION_WORD_WEIGHT;
    }
    for (const [letters, having] of LETTERS) {
      if (having.includes(language)) score += (text.match(letters)?.length ?? 0) / having.length;
    }
    return { language, score };
  });
  const best = scores.reduce((one, other) => (other.score > one.score ? other : one));
  return best.score > 0 ? best.language : undefined;
}

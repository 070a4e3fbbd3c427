import { isCharacterPair } from '@latchkey/text/language/character-pairs';
import { isStopWord } from '@latchkey/text/language/languages';
import { detectQuestionLanguage } from '@latchkey/text/language/question-language';
import { QUESTION_WORDS } from '@latchkey/text/language/question-words';
import { findQuestionTerms } from '@latchkey/ranking/question-terms';
import { hasSpelledNumber } from '@latchkey/text/spelled-numbers';
import { isPeriod } from './time-words.js';

/** How many earlier questions a question may refer to. */
export const FOLLOW_UP_TURNS = 3;

/** A question with fewer words, not counting stop words, is treated as a follow-up question. */
const MIN_TERMS = 3;
/** So is one with fewer words than this that contains a pronoun. */
const MIN_TERMS_REFERRING = 6;
/** And one that begins with a conjunction; stop words of other languages than English count too. */
const MIN_TERMS_CONTINUING = 9;
/** A question with fewer words depends on what was said before. */
const MIN_TERMS_ALONE = 2;
/** How many characters of each earlier question are used. */
const MAX_CONTEXT_LENGTH = 500;

/** Beginnings of questions that go on from the one before, by language. */
export const BEGINNINGS: Readonly<Record<string, string>> = {
  en: 'and|but|or|also|then|what about|how about|same question',
  de: 'und|aber|oder|auch|dann|was ist mit|wie ist es mit|wie sieht es',
  fr: 'et|mais|ou|aussi|alors|même question',
  es: 'y|e|pero|o|también|entonces|qué tal',
  it: 'e|ed|ma|o|anche|allora',
  pt: 'e|mas|ou|também|então',
  nl: 'en|maar|of|ook|dan|hoe zit het',
  pl: 'a|i|ale|oraz|lub|też',
  cs: 'a|i|ale|nebo|také',
  sv: 'och|men|eller|hur är det med',
  da: 'og|men|eller|hvad med',
  no: 'og|men|eller|hva med',
  fi: 'entä|ja|mutta|tai',
  tr: 've|ama|ya|peki',
  ru: 'а|и|но|или|тогда',
  uk: 'а|і|й|та|але|або|тоді',
  ro: 'și|dar|sau|atunci',
  hu: 'és|de|vagy|akkor',
  bg: 'а|и|но|или|тогава',
  el: 'και|κι|αλλά|ή',
  fa: 'و|پس|اما',
  hi: 'और|तो|लेकिन',
  vi: 'còn|và|thế|vậy',
  id: 'dan|lalu|tapi|kalau|bagaimana dengan',
};
/** Beginnings that no space follows. */
const ATTACHED =
  /^\P{L}*(?:و(?=\p{L})|ו(?=\p{L})|那|还有|還有|它|では|じゃあ|それ|そして|그럼|그리고|그건|แล้ว)/u;
const PRONOUNS =
  /(?<![\p{L}\p{M}])(?:it|its|they|them|their|theirs|this|that|these|those|there|he|she|his|her|him|one|ones|dafür|davon|dazu|damit|dort|dessen|deren|denen|celui|celle|ceux|celles|cela|ça|elle|elles|eso|esto|ella|ellos|ellas|quello|quella|questo|isso|isto|ele|ela|daarvoor|daarvan|daarmee|ervoor|ervan)(?![\p{L}\p{M}])/iu;
const beginsWith = (words: string) => new RegExp(`^\\P{L}*(?:${words})(?![\\p{L}\\p{M}])`, 'iu');
const CONJUNCTIONS = beginsWith(Object.values(BEGINNINGS).join('|'));
/** Prepositions before a thing, by language; "in" and others before a place or a time are left out. */
const BEFORE_NAMES: Readonly<Record<string, string>> = {
  en: 'for with without to from of by',
  de: 'für mit ohne bei beim nach von vom zu zum zur',
  fr: 'pour avec sans de du des d chez',
  es: 'para por con sin de del',
  it: 'per con senza di del della dell d da dal',
  pt: 'para por com sem de do da',
  nl: 'voor met zonder naar van',
  pl: 'dla za na do od z ze przy bez',
  cs: 'pro za na do od z ze s se při bez',
  sv: 'för till från med utan av',
  da: 'for til fra med uden af',
  no: 'for til fra med uten av',
  ru: 'для за на до от с со при без',
  uk: 'для за на до від з із при без',
  ro: 'pentru cu fără la din de',
  bg: 'за на до от с със при без',
  el: 'για με χωρίς από',
  id: 'untuk dengan tanpa ke dari pada',
  vi: 'cho với từ đến',
};
/** Articles that may stand between preposition and thing, by language: the indefinite and the definite ones. */
const ARTICLES: Readonly<Record<string, readonly [string, string]>> = {
  en: ['a an', 'the'],
  de: ['ein eine einen einem einer eines', 'der die das den dem des'],
  fr: ['un une', 'le la les l'],
  es: ['un una', 'el la los las'],
  it: ['un una uno', 'il lo la l i gli le'],
  pt: ['um uma', 'o a os as'],
  nl: ['een', 'de het'],
  sv: ['en ett', 'den det de'],
  da: ['en et', 'den det de'],
  no: ['en ei et', 'den det de'],
  ro: ['un o', 'cel cea cei cele'],
  el: ['ένα μια μία έναν', 'το τη την τον'],
};
/** Beginnings of questions that end with the name of a thing. */
const ENDS_IN_NAME = beginsWith(
  'what (?:is|are)|quel\\p{L}* (?:est|sont)|qual\\p{L}* (?:è|é|são|sono)|cuál\\p{L}* (?:es|son)|wat is|jak\\p{L}+ jest',
);
/** Text that continues a name behind its first words: "a 3-day pass", "the Isle of Man", "a bike, a lock". */
const GOES_ON =
  /^[-‐–,/&]|\p{Nd}|^ (?:and|or|of|who|which|that|von|und|de|du|des|d|et|y|e|di|del|van|en|och|og|i|a|и|і)(?!\p{L})/iu;
/** The most content words by which a follow-up may name another thing. */
const MAX_OBJECT_WORDS = 3;
/** Phrases that ask an earlier question of another thing: "in the case of B". */
const CASE = /の場合は|呢[？?]?$|はどう|는요\?|은요\?/u;

/**
 * The questions that a follow-up such as "And for EU orders?" goes on from, back to the last one that
 * is not a follow-up itself, oldest first; none where a question stands alone.
 *
 * @param earlier the earlier questions, oldest first
 */
export function findContext(question: string, earlier: readonly string[]): string[] {
  const context: string[] = [];
  for (const before of earlier.slice(-FOLLOW_UP_TURNS).toReversed()) {
    if (!isFollowUp(context[0] ?? question)) break;
    context.unshift(before);
  }
  return context.map((text) => text.slice(0, MAX_CONTEXT_LENGTH).toWellFormed());
}

/** The text to search for: the own words of a question with context are repeated, so they count twice. */
export const buildSearchText = (question: string, context: readonly string[]): string =>
  context.length === 0 ? question : [question, question, ...context].join('\n');

const isFollowUp = (question: string): boolean =>
  countContentWords(question) < MIN_TERMS || refersBack(question);

/** Whether a question refers to something said before. */
export function refersBack(question: string): boolean {
  const count = countContentWords(question);
  return (
    (count < MIN_TERMS_REFERRING && PRONOUNS.test(question)) ||
    (count < MIN_TERMS_CONTINUING && continuesEarlier(question))
  );
}

/**
 * Whether a question can be understood on its own, although it may begin as if it went on from an earlier one:
 * "And how long is the warranty of the X200?"
 */
export function standsAlone(question: string): boolean {
  const bare = question.replace(CONJUNCTIONS, '');
  return countContentWords(bare) >= MIN_TERMS_ALONE && !refersBack(bare);
}

/**
 * Completes a follow-up with the question before it: "And for a studio?" after "Notice period for a flex desk?"
 * becomes "Notice period for a studio?".
 *
 * @returns undefined unless both have a preposition such as "for" once, the end of the replaced words is clear,
 *   and both things are of one kind (a room and a week are not)
 */
export function completeFollowUp(question: string, before: string): string | undefined {
  // "And for a studio?" alone is too short to have a known language.
  const language = detectQuestionLanguage(`${before} ${question}`) ?? '';
  const articles = new Set(ARTICLES[language]?.join(' ').split(' '));
  const beforeNames = new Set([...(BEFORE_NAMES[language]?.split(' ') ?? []), ...articles]);
  const asking = new Set(QUESTION_WORDS[language]?.split(' '));
  const isContent = ({ word }: Word) => !isStopWord(word, language) && !beforeNames.has(word);
  const bare = question.replace(beginsWith(BEGINNINGS[language] ?? '&'), '');
  const [first, ...others] = splitWords(bare);
  const objects = others.filter(isContent);
  const isObject = others.every((word) => isContent(word) || beforeNames.has(word.word));
  if (!first || !beforeNames.has(first.word) || !isObject) return undefined;
  if (objects.length === 0 || objects.length > MAX_OBJECT_WORDS) return undefined;
  const words = splitWords(before);
  const from = words.findIndex(({ word }) => word === first.word);
  if (from < 0 || from !== words.findLastIndex(({ word }) => word === first.word)) return undefined;
  // "And the price?" asks something else of the same thing.
  if (articles.has(first.word) && !beforeNames.has(words[from - 1]?.word ?? '')) return undefined;
  if (words.slice(from).some(({ word }) => asking.has(word))) return undefined;
  const start = words.findIndex((word, index) => index > from && isContent(word));
  if (start < 0) return undefined;
  const isName = words[start]?.isCapital;
  const next = words.findIndex(
    (word, index) => index > start && !(isContent(word) && (word.isCapital || !isName)),
  );
  const end = next < 0 ? words.length : next;
  // "A na płytę?" after "termin na zwrot książki": without articles, nothing parts "zwrot" from "książki".
  if (articles.size === 0 && end - start > 1 && !isName) return undefined;
  if (language !== 'de' && isName !== objects[0]?.isCapital) return undefined;
  const describe = (some: readonly Word[]) => describeObject(some, language);
  if (describe(words.slice(from, end)) !== describe([first, ...others])) return undefined;
  const [opening] = words;
  // "Is the yard for guests open?": the last word may be what is asked.
  const mayAsk = end === words.length && end - start > 1 && !words[end - 1]?.isCapital;
  const startsWithName = language === 'en' && opening && isContent(opening);
  if (mayAsk && !startsWithName && !ENDS_IN_NAME.test(before)) return undefined;
  const rest = before.slice(words[end - 1]?.end);
  if (GOES_ON.test(rest) || beforeNames.has(words[end]?.word ?? '')) return undefined;
  // Without a content word outside the replaced name, nothing is asked.
  const isAsked = words.some((word, index) => isContent(word) && (index < start || index >= end));
  if (!isAsked) return undefined;
  return [before.slice(0, words[from]?.end), rest].join(bare.slice(first.end, others.at(-1)?.end));
}

/** Describes the kind of a thing: its article, whether it has a number, and whether it is a time. */
function describeObject(words: readonly Word[], language: string): string {
  const text = words.map(({ word }) => word).join(' ');
  const articles = ARTICLES[language]?.map((some) => some.split(' ')) ?? [];
  const article = articles.findIndex((some) => words.some(({ word }) => some.includes(word)));
  const isCounted = /\p{Nd}/u.test(text) || hasSpelledNumber(text, language);
  return [article, isCounted, isPeriod(text, language)].join(' ');
}

interface Word {
  /** In lower case. */
  readonly word: string;
  /** Whether only its first letter is a capital: "ATM" may stand before the name of a thing. */
  readonly isCapital: boolean;
  readonly end: number;
}

const splitWords = (text: string): Word[] =>
  [...text.matchAll(/[\p{L}\p{M}\p{Nd}]+/gu)].map(({ 0: word, index }) => ({
    word: word.toLowerCase(),
    isCapital: /^\p{Lu}(?!\p{Lu})/u.test(word),
    end: index + word.length,
  }));

/** Counts the content words of a question. */
export function countContentWords(question: string): number {
  const terms = findQuestionTerms(question);
  // A word without spaces around it makes several pairs of characters.
  return terms.length - terms.filter(isCharacterPair).length / 2;
}

/** Whether a question begins like one that goes on from the one before. */
export const continuesEarlier = (question: string): boolean =>
  [CONJUNCTIONS, ATTACHED, CASE].some((pattern) => pattern.test(question));

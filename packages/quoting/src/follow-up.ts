import { isCharacterPair } from '@latchkey/text/language/character-pairs';
import { isStopWord } from '@latchkey/text/language/languages';
import { questionLanguage } from '@latchkey/text/language/question-language';
import { QUESTION_WORDS } from '@latchkey/text/language/question-words';
import { questionTerms } from '@latchkey/ranking/question-terms';

/** How many earlier questions a question may refer to. */
export const FOLLOW_UP_TURNS = 3;

/** A question with fewer words, not counting stop words, is treated as a follow-up question. */
const MIN_TERMS = 3;
/** So is one with fewer words than this that contains a pronoun. */
const MIN_TERMS_REFERRING = 6;
/** And one that begins with a conjunction; stop words of other languages than English count too. */
const MIN_TERMS_CONTINUING = 9;
/** With fewer, it leaves something to what was said before. */
const MIN_TERMS_ALONE = 2;
/** How many characters of each earlier question are used. */
const MAX_CONTEXT_LENGTH = 500;

/** How questions begin that go on from the one before, by language. */
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
/** The same where no space follows them. */
const ATTACHED =
  /^\P{L}*(?:و(?=\p{L})|ו(?=\p{L})|那|还有|還有|它|では|じゃあ|それ|そして|그럼|그리고|그건|แล้ว)/u;
const PRONOUNS =
  /(?<![\p{L}\p{M}])(?:it|its|they|them|their|theirs|this|that|these|those|there|he|she|his|her|him|one|ones|dafür|davon|dazu|damit|dort|dessen|deren|denen|celui|celle|ceux|celles|cela|ça|elle|elles|eso|esto|ella|ellos|ellas|quello|quella|questo|isso|isto|ele|ela|daarvoor|daarvan|daarmee|ervoor|ervan)(?![\p{L}\p{M}])/iu;
const beginsWith = (words: string) => new RegExp(`^\\P{L}*(?:${words})(?![\\p{L}\\p{M}])`, 'iu');
const CONJUNCTIONS = beginsWith(Object.values(BEGINNINGS).join('|'));
/** What names of things stand behind, by language. */
const BEFORE_NAMES: Readonly<Record<string, string>> = {
  en: 'for with without to from at in on of by a an the',
  de: 'für mit ohne bei beim nach von vom im in am an auf zu zum zur der die das den dem des ein eine einen einem einer eines',
  fr: 'pour avec sans à au aux de du des d en dans sur chez le la les l un une',
  es: 'para por con sin a al de del en el la los las un una',
  it: 'per con senza a al alla di del della dell d da dal in nel nella su il lo la l i gli le un una uno',
  pt: 'para por com sem a ao à de do da em no na o os as um uma',
  nl: 'voor met zonder naar van in op bij aan de het een',
  pl: 'dla za na do od z ze w we o po przy bez',
  cs: 'pro za na do od z ze s se v ve o po při bez',
  sv: 'för till från med utan i på av en ett',
  da: 'for til fra med uden i på af en et',
  no: 'for til fra med uten i på av en ei et',
  ru: 'для за на до от с со из в во о по при без у к',
  uk: 'для за на до від з із в у о по при без',
  ro: 'pentru cu fără la în din de pe un o',
  bg: 'за на до от с със в във по при без',
  el: 'για με χωρίς από σε στο στη στην στον το τη την τον ένα μια μία έναν',
  id: 'untuk dengan tanpa di ke dari pada',
  vi: 'cho với ở từ đến',
};
/** Those of them that say nothing of how the thing is asked about. */
const ARTICLES: Readonly<Record<string, string>> = {
  en: 'a an the',
  de: 'der die das den dem des ein eine einen einem einer eines',
  fr: 'le la les l un une',
  es: 'el la los las un una',
  it: 'il lo la l i gli le un una uno',
  pt: 'o a os as um uma',
  nl: 'de het een',
  sv: 'en ett',
  da: 'en et',
  no: 'en ei et',
  el: 'το τη την τον ένα μια μία έναν',
};
/** Questions whose end names a thing: what is asked stands at their beginning. */
const ENDS_IN_NAME = beginsWith(
  'what (?:is|are)|quel\\p{L}* (?:est|sont)|qual\\p{L}* (?:è|é|são|sono)|cuál\\p{L}* (?:es|son)|wat is|jak\\p{L}+ jest',
);
/** What follows the first words of a name that goes on: "a 3-day pass", "the Isle of Man", "a bike, a lock". */
const GOES_ON =
  /^[-‐–,/&]|\p{Nd}|^ (?:and|or|of|who|which|that|von|und|de|du|des|d|et|y|e|di|del|van|en|och|og|i|a|и|і)(?!\p{L})/iu;
/** What is asked of another thing names it in at most so many content words. */
const MAX_OBJECT_WORDS = 3;
/** What a question is about that was asked before: "in the case of B". */
const CASE = /の場合は|呢[？?]?$|はどう|는요\?|은요\?/u;

/**
 * The questions that a follow-up such as "And for EU orders?" goes on from, back to the last one that
 * is not a follow-up itself, oldest first; none where a question stands alone.
 *
 * @param earlier the earlier questions, oldest first
 */
export function contextOf(question: string, earlier: readonly string[]): string[] {
  const context: string[] = [];
  for (const before of earlier.slice(-FOLLOW_UP_TURNS).toReversed()) {
    if (!isFollowUp(context[0] ?? question)) break;
    context.unshift(before);
  }
  return context.map((text) => text.slice(0, MAX_CONTEXT_LENGTH).toWellFormed());
}

/** The text to search for: the own words of a question with context are repeated, so they count twice. */
export const searchText = (question: string, context: readonly string[]): string =>
  context.length === 0 ? question : [question, question, ...context].join('\n');

const isFollowUp = (question: string): boolean =>
  contentWords(question) < MIN_TERMS || refersBack(question);

/** Whether it speaks of something said before. */
export function refersBack(question: string): boolean {
  const count = contentWords(question);
  return (
    (count < MIN_TERMS_REFERRING && PRONOUNS.test(question)) ||
    (count < MIN_TERMS_CONTINUING && continuesEarlier(question))
  );
}

/**
 * Whether it can be understood without what was said before, although it may begin as if it went on from
 * that: "And how long is the warranty of the X200?"
 */
export function standsAlone(question: string): boolean {
  const bare = question.replace(CONJUNCTIONS, '');
  return contentWords(bare) >= MIN_TERMS_ALONE && !refersBack(bare);
}

/**
 * The question before it, of something else: "And for a studio?" after "Notice period for a flex desk?" asks
 * for the notice period for a studio. Undefined unless a word such as "for", which each of them has once, shows
 * what is replaced and it is plain how far that reaches.
 */
export function askedOfAnother(question: string, before: string): string | undefined {
  // "And for a studio?" alone is too short to have a known language.
  const language = questionLanguage(`${before} ${question}`) ?? '';
  const beforeNames = new Set(BEFORE_NAMES[language]?.split(' '));
  const articles = new Set(ARTICLES[language]?.split(' '));
  const asking = new Set(QUESTION_WORDS[language]?.split(' '));
  const isContent = ({ word }: Word) => !isStopWord(word, language) && !beforeNames.has(word);
  const bare = question.replace(beginsWith(BEGINNINGS[language] ?? '&'), '');
  const [first, ...others] = wordsOf(bare);
  const objects = others.filter(isContent);
  const isObject = others.every((word) => isContent(word) || beforeNames.has(word.word));
  if (!first || !beforeNames.has(first.word) || !isObject) return undefined;
  if (objects.length === 0 || objects.length > MAX_OBJECT_WORDS) return undefined;
  const words = wordsOf(before);
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
  const [opening] = words;
  // "Is the yard for guests open?": the last word may be what is asked.
  const mayAsk = end === words.length && end - start > 1 && !words[end - 1]?.isCapital;
  const startsWithName = language === 'en' && opening && isContent(opening);
  if (mayAsk && !startsWithName && !ENDS_IN_NAME.test(before)) return undefined;
  const rest = before.slice(words[end - 1]?.end);
  if (GOES_ON.test(rest) || articles.has(words[end]?.word ?? '')) return undefined;
  // What is left says what is asked.
  const isAsked = words.some((word, index) => isContent(word) && (index < start || index >= end));
  if (!isAsked) return undefined;
  return [before.slice(0, words[from]?.end), rest].join(bare.slice(first.end, others.at(-1)?.end));
}

interface Word {
  /** In lower case. */
  readonly word: string;
  /** Not of "ATM", which may stand before the name of a thing. */
  readonly isCapital: boolean;
  readonly end: number;
}

const wordsOf = (text: string): Word[] =>
  [...text.matchAll(/[\p{L}\p{M}\p{Nd}]+/gu)].map(({ 0: word, index }) => ({
    word: word.toLowerCase(),
    isCapital: /^\p{Lu}(?!\p{Lu})/u.test(word),
    end: index + word.length,
  }));

/** How many words of a question say what it is about. */
export function contentWords(question: string): number {
  const terms = questionTerms(question);
  // A word without spaces around it makes several pairs of characters.
  return terms.length - terms.filter(isCharacterPair).length / 2;
}

/** Whether it begins as one that goes on from the one before. */
export const continuesEarlier = (question: string): boolean =>
  [CONJUNCTIONS, ATTACHED, CASE].some((pattern) => pattern.test(question));

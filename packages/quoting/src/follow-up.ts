import { isCharacterPair } from '@latchkey/text/language/character-pairs';
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
const CONJUNCTIONS = new RegExp(
  `^\\P{L}*(?:${Object.values(BEGINNINGS).join('|')})(?![\\p{L}\\p{M}])`,
  'iu',
);
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

/** How many words of a question say what it is about. */
export function contentWords(question: string): number {
  const terms = questionTerms(question);
  // A word without spaces around it makes several pairs of characters.
  return terms.length - terms.filter(isCharacterPair).length / 2;
}

/** Whether it begins as one that goes on from the one before. */
export const continuesEarlier = (question: string): boolean =>
  [CONJUNCTIONS, ATTACHED, CASE].some((pattern) => pattern.test(question));

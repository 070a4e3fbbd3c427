import { foldLetters } from '@latchkey/text/fold-text';
import { isCharacterPair } from '@latchkey/text/language/character-pairs';
import { isStopWord } from '@latchkey/text/language/languages';
import { QUESTION_WORDS } from '@latchkey/text/language/question-words';
import { withoutContractions } from '@latchkey/text/language/without-contractions';
import { withoutQuestionWords } from '@latchkey/text/language/without-question-words';
import { findSpelledNumbers } from '@latchkey/text/spelled-numbers';
import { detectSmallTalk } from '@latchkey/text/small-talk';
import { stem, tokenize } from '@latchkey/text/tokenize';
import { truncateQuestion } from '@latchkey/ranking/question-terms';
import { findAnswerTypeIn } from './question-type.js';

/** Stop words that change the meaning of a question: "before", "not". */
const TURNING: Readonly<Record<string, string>> = {
  en: 'not no nor never without before after except only more less over under between during until since from against out off other others another was were had did first last next',
  de: 'nicht kein keine keinen keinem keiner keines nie niemals ohne vor vorher nach nachher außer nur mehr weniger über unter zwischen während bis seit aus von gegen anderen andere war waren hatte hatten wurde wurden erste ersten erster erstes letzte letzten nächste nächsten zweite zweiten alle allen',
  fr: 'ne pas non jamais sans avant après sauf seulement plus moins sur sous entre pendant depuis contre autre autres était étaient avait première premier dernier dernière prochain tous',
  es: 'no nunca sin antes después excepto solo sólo más menos sobre bajo entre durante hasta desde contra otro otra otros otras fue eran era había fueron tenía primer primera último última próximo todos',
  it: 'non no mai senza prima dopo tranne solo più meno sopra sotto tra fra durante fino da dal dalla contro altro altra altri altre era erano fu primo ultimo prossimo tutti',
  pt: 'não nunca sem antes depois exceto só mais menos sobre entre durante até desde contra outro outra outros outras foi era eram tinha primeiro primeira último última próximo todos',
  nl: 'niet geen nooit zonder voor na behalve alleen meer minder over onder tussen tijdens tot sinds van uit tegen andere waren had hadden werd eerste laatste volgende alle',
  pl: 'nie nigdy bez przed po oprócz tylko więcej mniej nad pod między podczas do od z przeciw inny inna inne',
  cs: 'ne není nikdy bez před po kromě jen více méně nad pod mezi během do od z proti jiný jiná jiné',
  sv: 'inte ej ingen inga aldrig utan före innan efter utom bara mer mindre över under mellan till sedan från mot andra',
  da: 'ikke ingen aldrig uden før efter undtagen kun mere mindre over under mellem til siden fra mod andre',
  no: 'ikke ingen aldri uten før etter unntatt bare mer mindre over under mellom til siden fra mot andre',
  fi: 'ei en et emme ette eivät ilman ennen jälkeen paitsi vain enemmän vähemmän yli alle välillä aikana asti muu muut',
  tr: 'değil hiç önce sonra hariç sadece daha fazla az arasında kadar beri diğer',
  ru: 'не нет никогда без до перед после кроме только больше меньше над под между во с от из против другой другая другие',
  uk: 'не ні ніколи без до перед після крім тільки більше менше над під між від з проти інший інша інші',
  bg: 'не никога без преди след освен само повече по-малко над под между до от против друг друга други',
  ro: 'nu niciodată fără înainte după decât doar mai mult puțin peste sub între până din de la contra alt altă alte',
  hu: 'nem ne soha nélkül előtt után kivéve csak több kevesebb felett alatt között ellen más',
  el: 'δεν μη όχι ποτέ χωρίς πριν μετά εκτός μόνο περισσότερο λιγότερο πάνω κάτω μεταξύ μέχρι από εναντίον άλλο άλλη άλλα',
  id: 'tidak bukan tanpa sebelum sesudah setelah kecuali hanya lebih kurang antara selama sampai sejak dari lain',
  vi: 'không chưa trước sau ngoài chỉ hơn ít giữa đến từ khác',
  ar: 'لا ليس لم لن بدون قبل بعد إلا فقط أكثر أقل بين حتى منذ من ضد آخر',
  he: 'לא אין בלי לפני אחרי חוץ רק יותר פחות בין עד מאז מן נגד אחר',
  fa: 'نه نیست بدون قبل بعد جز فقط بیشتر کمتر بین تا از دیگر',
  hi: 'नहीं मत न बिना पहले बाद सिवाय केवल अधिक कम बीच तक से अन्य',
};
/** Question words that leave open what is asked for: "what is the price" asks like "the price". */
const OPEN = new Set(
  [
    'what which was welcher welche welches welchem welchen que quoi quel quelle quels quelles est-ce',
    'qué cuál cuáles cual cuales che cosa quale quali qual quais wat welke welk co jaki jaka jakie jakim',
    'który która které które který jaký jaká jaké vad vilken vilket vilka hvad hvilken hvilket hvilke hva',
    'mikä mitä mitkä kumpi ne hangi mi mı mu mü что какой какая какое какие який яка яке які що какво какъв',
    'каква какви кой коя кое кои τι ποιος ποια ποιο ce care mi mit melyik milyen apa apakah gì nào ما ماذا هل',
    'أي أية מה איזה איזו האם چه کدام آیا क्या कौनसा कौनसी 什么 什麼 甚麼 哪个 哪個 哪些 嗎 どの 무엇 무엇을 무엇이 어떤',
  ]
    .join(' ')
    .split(' '),
);
/**
 * Words that say what is asked for, as question words do: "what is the price of it" asks the same as "what does
 * it cost". The words of `any` do not say it: "is it possible to pay by card".
 */
const ASKED_FOR: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  en: {
    price: 'cost costs price prices',
    duration: 'long period duration length',
    time: 'time date',
    manner: 'way procedure steps',
    meaning: 'mean means meaning',
    any: 'possible allowed permitted able may possibility',
  },
  de: {
    price: 'kostet kosten kostete preis preise teuer',
    duration: 'lange lang dauer',
    time: 'uhrzeit zeitpunkt datum',
    manner: 'vorgehen verfahren schritte',
    meaning: 'bedeutet bedeuten bedeutung heißt',
    any: 'möglich möglichkeit erlaubt darf dürfen zulässig',
  },
  fr: {
    price: 'coûte coûtent coût prix tarif',
    duration: 'longtemps durée',
    time: 'heure date',
    manner: 'procédure étapes façon',
    meaning: 'signifie signification',
    any: 'possible permis autorisé puis-je peut-on',
  },
  es: {
    price: 'cuesta cuestan coste costo precio',
    duration: 'duración plazo período',
    time: 'hora fecha',
    manner: 'procedimiento pasos manera',
    meaning: 'significa significado',
    any: 'posible permitido puedo puede pueden',
  },
  it: {
    price: 'costa costano costo prezzo',
    duration: 'durata periodo',
    time: 'ora data',
    manner: 'procedura passaggi modo',
    meaning: 'significa significato',
    any: 'possibile permesso posso può possono',
  },
  pt: {
    price: 'custa custam custo preço',
    duration: 'duração prazo período',
    time: 'hora data',
    manner: 'procedimento passos maneira',
    meaning: 'significa significado',
    any: 'possível permitido posso pode podem',
  },
  nl: {
    price: 'kost kosten prijs',
    duration: 'lang duur periode',
    time: 'tijd datum',
    manner: 'procedure stappen manier',
    meaning: 'betekent betekenis',
    any: 'mogelijk toegestaan mag mogen',
  },
};
const WITHOUT_SPACES = new Set(['ja', 'th', 'zh']);
const NEGATION = /(?:\b(?:ca|sha|wo))?n['’]t(?![\p{L}\p{N}])|(?<=\bcan)not\b/giu;
const ANY = 'any';
const GREETING = /^[^,.!:;?]{1,40}[,.!]/u;
const THANKS = /[,.!?][^,.!:;?]{1,40}[.!]?$/u;
const DIGIT = /\p{Nd}/u;
const CAPITALIZED = /(?<=[\p{L}\p{N},;] )\p{Lu}[\p{L}\p{M}\p{N}]*/gu;
/** A language that begins every noun with a capital. */
const CAPITALIZES_NOUNS = 'de';

/**
 * The least similarity of questions with the same content words, and of those in which other words replace
 * some. Both are measured, see docs/decisions/curated-answers.md.
 */
const SAME_WORDS_SIMILARITY = 0.8;
const OTHER_WORDS_SIMILARITY = 0.96;

/** A question in the form in which it is compared with others. */
export interface QuestionForm {
  /** Equal for questions with the same words in the same order. */
  readonly key: string;
  /** Equal for questions with the same words. */
  readonly unordered: string;
  /** The stems of its content words, in order, without those that say what is asked for. */
  readonly content: readonly string[];
  /** Its content words as they are written, in any order. */
  readonly written: string;
  /** Pairs of stems that stand next to each other. */
  readonly adjacent: ReadonlySet<string>;
  readonly turning: string;
  readonly numbers: string;
  /** The stems of words that seem to be names. */
  readonly names: ReadonlySet<string>;
  /** What is asked for: one of ASKED_FOR or `AnswerType`, `what`, another question word, or '' for none. */
  readonly kind: string;
}

/**
 * @param language BCP 47, the same for all questions that are compared; null for unknown
 * @param context the questions that it goes on from; its own names and numbers replace theirs
 */
export function toQuestionForm(
  question: string,
  language: string | null,
  context: readonly string[] = [],
): QuestionForm {
  const own = analyseWords(question, language);
  const before = analyseWords(context.join('\n'), language);
  const kept = before.words.filter(({ isName, word }) => !isName && !DIGIT.test(word));
  const words = [...kept, ...own.words];
  const asks = own.asks.length > 0 ? own.asks : before.asks;
  const asking = asks.filter((word) => !OPEN.has(word)).sort();
  const content = words.filter(({ isTurning, asksFor }) => !isTurning && !asksFor);
  const askedFor = new Set(
    words.flatMap(({ asksFor = ANY }) => (asksFor === ANY ? [] : [asksFor])),
  );
  // A question without words, only signs, is compared by these signs.
  const stems = words.length > 0 ? words.map((word) => word.stem) : [question.trim()];
  return {
    key: [...asking, '|', ...stems].join(' '),
    unordered: [...asking, '|', ...new Set(stems.toSorted())].join(' '),
    content: content.map((word) => word.stem),
    written: joinSorted(content),
    adjacent: own.adjacent,
    turning: joinSorted(words.filter(({ isTurning }) => isTurning)),
    numbers: [...findNumbers(question, language)].sort().join(' '),
    names: new Set(content.filter(({ isName }) => isName).map((word) => word.stem)),
    kind:
      [...askedFor].sort().join(' ') ||
      (findAnswerTypeIn(question, language) ??
        (asking.join(' ') || (asks.length > 0 ? 'what' : ''))),
  };
}

/**
 * Whether two questions ask the same in other words. An additional word makes another question ("the deputy
 * head"), and so does another number, name, negation or kind of answer, however near the meanings are.
 *
 * @param similarity of their meaning: the cosine of their vectors
 */
export function meansTheSame(one: QuestionForm, other: QuestionForm, similarity: number): boolean {
  if (similarity < SAME_WORDS_SIMILARITY) return false;
  const added = findMissing(one, other);
  const omitted = findMissing(other, one);
  const hasOthers = added.length > 0 && omitted.length > 0;
  const hasSame = added.length === 0 && omitted.length === 0;
  // In scripts without spaces, a pair of characters does not show which word differs.
  const decides = (word: string) =>
    one.names.has(word) || other.names.has(word) || isCharacterPair(word);
  return (
    (hasSame || (hasOthers && similarity >= OTHER_WORDS_SIMILARITY)) &&
    one.turning === other.turning &&
    one.numbers === other.numbers &&
    ![...added, ...omitted].some(decides) &&
    asksAlike(one.kind, other.kind) &&
    isInOrder(one, other)
  );
}

interface Word {
  readonly word: string;
  readonly stem: string;
  readonly isName: boolean;
  readonly isTurning: boolean;
  /** See ASKED_FOR. */
  readonly asksFor: string | undefined;
}

function analyseWords(question: string, language: string | null) {
  const code = language?.split('-')[0] ?? '';
  const text = withoutSmallTalk(truncateQuestion(question)).replace(NEGATION, ' not ');
  const questionWords = QUESTION_WORDS[code]?.split(' ') ?? [];
  const turning = new Set(TURNING[code]?.split(' '));
  const asksFor = new Map(
    Object.entries(ASKED_FOR[code] ?? {}).flatMap(([kind, some]) =>
      some.split(' ').map((word) => [word, kind]),
    ),
  );
  const capitalized = new Set(
    code === CAPITALIZES_NOUNS
      ? []
      : (text.match(CAPITALIZED) ?? []).map((word) => foldLetters(word.toLowerCase())),
  );
  const tokens = tokenize(withoutContractions(withoutQuestionWords(text)), language);
  const isSpaced = !WITHOUT_SPACES.has(code);
  const asks = isSpaced
    ? tokens.filter((word) => questionWords.includes(word))
    : questionWords.filter((word) => text.includes(word));
  const all = tokens.map((word) => ({
    word,
    stem: stem(word, language),
    isName: capitalized.has(foldLetters(word)),
    isTurning: turning.has(word),
    asksFor: asksFor.get(word),
  }));
  const said = all.filter(
    ({ word, isTurning }) =>
      isTurning || !(isStopWord(word, language) || questionWords.includes(word)),
  );
  const adjacent = new Set(
    all.slice(1).map(({ stem: next }, index) => `${all[index]?.stem ?? ''} ${next}`),
  );
  return { words: said.length > 0 ? said : all, asks, adjacent };
}

/** Removes a greeting before the question and thanks behind it that are no sentences of their own. */
function withoutSmallTalk(question: string): string {
  const [greeting = ''] = GREETING.exec(question) ?? [];
  const asked = detectSmallTalk(greeting) ? question.slice(greeting.length) : question;
  const [thanks = ''] = THANKS.exec(asked) ?? [];
  return detectSmallTalk(thanks.slice(1)) ? asked.slice(0, -thanks.length) : asked;
}

const joinSorted = (words: readonly Word[]): string =>
  words
    .map(({ word }) => word)
    .sort()
    .join(' ');

function findNumbers(question: string, language: string | null): Set<string> {
  const digits = tokenize(truncateQuestion(question), language).filter((word) => DIGIT.test(word));
  const spelled = findSpelledNumbers(truncateQuestion(question), language ?? undefined);
  return new Set([...digits, ...spelled.map(String)]);
}

const findMissing = (one: QuestionForm, other: QuestionForm): string[] =>
  one.content.filter((word) => !other.content.includes(word));

/** Whether two kinds ask for the same; `number` and `price` do, since "how much" asks for both. */
const asksAlike = (one: string, other: string): boolean =>
  one === other ||
  [one, other].every((kind) => kind === 'what' || kind === '') ||
  [one, other].every((kind) => kind === 'number' || kind === 'price');

/**
 * Whether the words that both have stand in the same order: "PDF to Word" is not "Word to PDF". Two that
 * change places may, where they are next to each other ("shipping cost", "cost of shipping") or
 * another form shows that the sentence is built in another way ("includes", "is included in").
 */
function isInOrder(one: QuestionForm, other: QuestionForm): boolean {
  if (one.written !== other.written && one.content.length === other.content.length) return true;
  const [last, places] = [findLastPlaces(one.content), findLastPlaces(other.content)];
  const common = [...last.keys()].filter((word) => places.has(word));
  return common.every((word) => {
    const first = one.content.indexOf(word);
    return common.every((later) => {
      if ((last.get(later) ?? 0) <= first) return true;
      if ((places.get(word) ?? 0) <= (places.get(later) ?? 0)) return true;
      return one.adjacent.has(`${word} ${later}`) || other.adjacent.has(`${later} ${word}`);
    });
  });
}

const findLastPlaces = (words: readonly string[]): ReadonlyMap<string, number> =>
  new Map(words.map((word, place) => [word, place]));

/** What kind of answer a question asks for. */
export type AnswerType = 'time' | 'number' | 'person';

type Words = Readonly<Partial<Record<AnswerType, string>>>;

/** The question words of each language, separated by `|`; those that also mean something else are left out. */
const QUESTION_WORDS: Readonly<Record<string, Words>> = {
  ar: { time: 'متى', number: 'كم', person: 'من هو|من هي|من الذي' },
  bg: { time: 'кога', number: 'колко', person: 'кой' },
  bn: { time: 'কখন|কবে', number: 'কত|কতজন|কয়টি', person: 'কে|কারা' },
  cs: { time: 'kdy', number: 'kolik', person: 'kdo' },
  da: { time: 'hvornår', number: 'hvor mange|hvor meget', person: 'hvem' },
  de: {
    time: 'wann|welchem jahr',
    number: 'wie viel|wie viele|wieviel|wieviele',
    person: 'wer|wen|wem',
  },
  el: { time: 'πότε', number: 'πόσο|πόσα|πόσοι|πόσες|πόσους', person: 'ποιος|ποια|ποιοι' },
  en: {
    time: 'when|what year|which year|what date',
    number: 'how many|how much|how long|how old',
    person: 'who|whom|whose',
  },
  es: { time: 'cuándo|qué año', number: 'cuánto|cuánta|cuántos|cuántas', person: 'quién|quiénes' },
  fa: { time: 'چه زمانی|چه سالی', number: 'چند|چقدر', person: 'چه کسی' },
  fi: { time: 'milloin', number: 'kuinka monta|kuinka paljon', person: 'kuka|ketkä' },
  fr: { time: 'quand|quelle année', number: 'combien', person: 'qui' },
  he: { time: 'מתי', number: 'כמה', person: 'מי' },
  hi: { time: 'कब', number: 'कितना|कितने|कितनी', person: 'कौन|किसने' },
  hu: { time: 'mikor', number: 'hány|mennyi', person: 'kicsoda|kik' },
  id: { time: 'kapan', number: 'berapa', person: 'siapa' },
  it: { time: 'quando|quale anno|che anno', number: 'quanto|quanta|quanti|quante', person: 'chi' },
  ja: {
    time: 'いつ|何年|何月|何日',
    number: 'いくつ|いくら|何人|何個|何回|どのくらい|どれくらい',
    person: '誰|だれ',
  },
  ko: { time: '언제|몇 년', number: '몇|얼마', person: '누구|누가' },
  nl: { time: 'wanneer|welk jaar', number: 'hoeveel', person: 'wie' },
  no: { time: 'når', number: 'hvor mange|hvor mye', person: 'hvem' },
  pl: { time: 'kiedy|którym roku', number: 'ile|ilu', person: 'kto' },
  pt: { time: 'quando|que ano', number: 'quanto|quanta|quantos|quantas', person: 'quem' },
  ro: { time: 'când|ce an', number: 'cât|câtă|câți|câte', person: 'cine' },
  ru: { time: 'когда|каком году', number: 'сколько', person: 'кто|кого|кем' },
  sv: { time: 'när|vilket år', number: 'hur många|hur mycket', person: 'vem' },
  th: { time: 'เมื่อไหร่|เมื่อไร|เมื่อใด|ปีใด|ปีไหน', number: 'กี่|เท่าไหร่|เท่าไร|เท่าใด', person: 'ใคร' },
  tr: { time: 'ne zaman|hangi yıl', number: 'kaç|ne kadar', person: 'kim|kimler' },
  uk: { time: 'коли|якому році', number: 'скільки', person: 'хто|кого' },
  vi: { time: 'khi nào|năm nào', number: 'bao nhiêu|mấy', person: 'ai' },
  zh: {
    time: '什么时候|什麼時候|何时|何時|哪一年|哪年|哪天',
    number: '多少|几个|幾個|几次|几名|多长|多大',
    person: '谁|誰',
  },
};

/** Languages in which spaces need not separate a question word from its neighbours. */
const WITHOUT_SPACES = new Set(['ja', 'ko', 'th', 'zh']);

const PATTERNS = new Map(
  Object.entries(QUESTION_WORDS).map(([language, words]) => [
    language,
    Object.entries(words).map(([type, alternatives]) => ({
      type: type as AnswerType,
      pattern: new RegExp(
        WITHOUT_SPACES.has(language)
          ? `(?:${alternatives})`
          : `(?<![\\p{L}\\p{M}])(?:${alternatives})(?![\\p{L}\\p{M}])`,
        'iu',
      ),
    })),
  ]),
);

/**
 * What a question asks for, by its question words; undefined if it has none of them.
 *
 * @param languages those of the passages (BCP 47); null for an unknown one. If none is known, the
 *   question words of all languages are used.
 */
export function answerTypeOf(
  question: string,
  languages: readonly (string | null)[],
): AnswerType | undefined {
  const text = question.normalize('NFC');
  const known = languages.flatMap((language) => PATTERNS.get(language?.split('-')[0] ?? '') ?? []);
  const patterns = known.length > 0 ? known : [...PATTERNS.values()].flat();
  return patterns.find(({ pattern }) => pattern.test(text))?.type;
}

const NUMBER = /(?<!\p{Nd})\p{Nd}+/gu;
/** A capitalized word that does not begin a sentence. */
const NAME = /(?<=[\p{Ll}\p{M}\p{Nd},;:)]["'”’»]?\s["'“‘«(]?)\p{Lu}[\p{L}\p{M}'’-]+/gu;

/** Whether a sentence has the number or name that is asked for, and not just one of the question. */
export function hasAnswerType(sentence: string, type: AnswerType, question: string): boolean {
  const found = sentence.match(type === 'person' ? NAME : NUMBER) ?? [];
  return found.some((one) => !question.includes(one));
}

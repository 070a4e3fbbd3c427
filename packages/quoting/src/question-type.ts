/** What kind of answer a question asks for. */
export type AnswerType = 'time' | 'number' | 'person' | 'manner';

type Words = Readonly<Partial<Record<AnswerType, string>>>;

/** The question words of each language, separated by `|`; those that also mean something else are left out. */
const QUESTION_WORDS: Readonly<Record<string, Words>> = {
  ar: { time: 'متى', number: 'كم', person: 'من هو|من هي|من الذي', manner: 'كيف|طريقة|خطوات' },
  bg: { time: 'кога', number: 'колко', person: 'кой', manner: 'как да|как мога|как се' },
  bn: { time: 'কখন|কবে', number: 'কত|কতজন|কয়টি', person: 'কে|কারা', manner: 'কিভাবে|কীভাবে' },
  cs: { time: 'kdy', number: 'kolik', person: 'kdo', manner: 'jak|postup' },
  da: { time: 'hvornår', number: 'hvor mange|hvor meget', person: 'hvem', manner: 'hvordan' },
  de: {
    time: 'wann|welchem jahr',
    number: 'wie viel|wie viele|wieviel|wieviele',
    person: 'wer|wen|wem',
    manner:
      'wie kann|wie muss|wie lege|wie mache|wie gehe|wie funktioniert|wie bekomme|wie komme|wie beantrage|wie stelle|wie richte|wie lässt|wie wird|wie melde|wie geht|was muss ich tun|wie soll',
  },
  el: {
    time: 'πότε',
    number: 'πόσο|πόσα|πόσοι|πόσες|πόσους',
    person: 'ποιος|ποια|ποιοι',
    manner: 'πώς|πως',
  },
  en: {
    time: 'when|what year|which year|what date',
    number: 'how many|how much|how long|how old',
    person: 'who|whom|whose',
    manner:
      'how do|how can|how to|how does|how should|how would|how could|how did|what do i do|what should i do|what do i have to do|steps|instructions',
  },
  es: {
    time: 'cuándo|qué año',
    number: 'cuánto|cuánta|cuántos|cuántas',
    person: 'quién|quiénes',
    manner: 'cómo|qué hago|qué tengo que hacer|pasos',
  },
  fa: {
    time: 'چه زمانی|چه سالی',
    number: 'چند|چقدر',
    person: 'چه کسی',
    manner: 'چگونه|چطور|چجوری',
  },
  fi: {
    time: 'milloin',
    number: 'kuinka monta|kuinka paljon',
    person: 'kuka|ketkä',
    manner: 'miten|kuinka voin|kuinka saan|ohjeet',
  },
  fr: {
    time: 'quand|quelle année',
    number: 'combien',
    person: 'qui',
    manner: 'comment|que faire|que dois je faire|étapes',
  },
  he: { time: 'מתי', number: 'כמה', person: 'מי', manner: 'איך|כיצד' },
  hi: { time: 'कब', number: 'कितना|कितने|कितनी', person: 'कौन|किसने', manner: 'कैसे' },
  hu: {
    time: 'mikor',
    number: 'hány|mennyi',
    person: 'kicsoda|kik',
    manner: 'hogyan|hogy lehet|hogy kell',
  },
  id: { time: 'kapan', number: 'berapa', person: 'siapa', manner: 'bagaimana|gimana|cara' },
  it: {
    time: 'quando|quale anno|che anno',
    number: 'quanto|quanta|quanti|quante',
    person: 'chi',
    manner: 'come si|come posso|come faccio|come devo|cosa devo fare|come',
  },
  ja: {
    time: 'いつ|何年|何月|何日',
    number: 'いくつ|いくら|何人|何個|何回|どのくらい|どれくらい',
    person: '誰|だれ',
    manner: 'どうやって|どうすれば|どのように|方法|手順|やり方|仕方|どうしたら',
  },
  ko: { time: '언제|몇 년', number: '몇|얼마', person: '누구|누가', manner: '어떻게|방법|절차' },
  nl: {
    time: 'wanneer|welk jaar',
    number: 'hoeveel',
    person: 'wie',
    manner:
      'hoe kan|hoe moet|hoe doe|hoe werkt|hoe stel|hoe maak|hoe krijg|hoe zet|hoe meld|hoe vraag|wat moet ik doen',
  },
  no: { time: 'når', number: 'hvor mange|hvor mye', person: 'hvem', manner: 'hvordan' },
  pl: { time: 'kiedy|którym roku', number: 'ile|ilu', person: 'kto', manner: 'jak|w jaki sposób' },
  pt: {
    time: 'quando|que ano',
    number: 'quanto|quanta|quantos|quantas',
    person: 'quem',
    manner: 'como|o que faço|passos',
  },
  ro: { time: 'când|ce an', number: 'cât|câtă|câți|câte', person: 'cine', manner: 'cum' },
  ru: {
    time: 'когда|каком году',
    number: 'сколько',
    person: 'кто|кого|кем',
    manner: 'как|каким образом|что делать',
  },
  sv: {
    time: 'när|vilket år',
    number: 'hur många|hur mycket',
    person: 'vem',
    manner: 'hur gör|hur kan|hur får|hur ska|hur skickar|hur beställer|hur ändrar|hur fungerar',
  },
  th: {
    time: 'เมื่อไหร่|เมื่อไร|เมื่อใด|ปีใด|ปีไหน',
    number: 'กี่|เท่าไหร่|เท่าไร|เท่าใด',
    person: 'ใคร',
    manner: 'อย่างไร|ยังไง|วิธี|ขั้นตอน',
  },
  tr: { time: 'ne zaman|hangi yıl', number: 'kaç|ne kadar', person: 'kim|kimler', manner: 'nasıl' },
  uk: {
    time: 'коли|якому році',
    number: 'скільки',
    person: 'хто|кого',
    manner: 'як|яким чином|що робити',
  },
  vi: {
    time: 'khi nào|năm nào',
    number: 'bao nhiêu|mấy',
    person: 'ai',
    manner: 'làm thế nào|làm sao|như thế nào|cách',
  },
  zh: {
    time: '什么时候|什麼時候|何时|何時|哪一年|哪年|哪天',
    number: '多少|几个|幾個|几次|几名|多长|多大',
    person: '谁|誰',
    manner: '怎么|怎麼|如何|怎样|怎樣|步骤|步驟|流程',
  },
};

/** What is more specific comes first: "how long" before "how". */
const TYPES: readonly AnswerType[] = ['number', 'time', 'person', 'manner'];

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
 * @param languages those of the passages (BCP 47); null for an unknown one. If the question has none of
 *   their question words, it may be in another language.
 */
export function answerTypeOf(
  question: string,
  languages: readonly (string | null)[],
): AnswerType | undefined {
  const text = question.normalize('NFC');
  const codes = new Set(languages.map((language) => language?.split('-')[0] ?? ''));
  return (
    typeIn(text, [...codes]) ??
    typeIn(
      text,
      [...PATTERNS.keys()].filter((code) => !codes.has(code)),
    )
  );
}

/** The same by the question words of one language alone. */
export const answerTypeIn = (question: string, language: string | null): AnswerType | undefined =>
  typeIn(question.normalize('NFC'), [language?.split('-')[0] ?? '']);

function typeIn(text: string, codes: readonly string[]): AnswerType | undefined {
  const patterns = codes.flatMap((code) => PATTERNS.get(code) ?? []);
  return TYPES.find((type) => patterns.some((one) => one.type === type && one.pattern.test(text)));
}

const NUMBER = /(?<!\p{Nd})\p{Nd}+/gu;
/** A capitalized word that does not begin a sentence. */
const NAME = /(?<=[\p{Ll}\p{M}\p{Nd},;:)]["'”’»]?\s["'“‘«(]?)\p{Lu}[\p{L}\p{M}'’-]+/gu;

/** Whether a sentence has the number or name that is asked for, and not just one of the question. */
export function hasAnswerType(sentence: string, type: AnswerType, question: string): boolean {
  const found = sentence.match(type === 'person' ? NAME : NUMBER) ?? [];
  return found.some((one) => !question.includes(one));
}

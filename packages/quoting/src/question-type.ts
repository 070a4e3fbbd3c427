import { detectQuestionLanguage } from '@latchkey/text/language/question-language';
import { QUESTION_WORDS as ASKING_WORDS } from '@latchkey/text/language/question-words';

/** What kind of answer a question asks for. */
export type AnswerType = 'time' | 'number' | 'person' | 'manner';

type Words = Readonly<Partial<Record<AnswerType, string>>>;

/** The question words of each language, separated by `|`; those that also mean something else are left out. */
const QUESTION_WORDS: Readonly<Record<string, Words>> = {
  ar: {
    time: 'متى|أي ساعة|أي يوم',
    number: 'كم',
    person: 'من هو|من هي|من الذي',
    manner: 'كيف|طريقة|خطوات|ماذا أفعل|ماذا علي|ماذا يجب|ما العمل',
  },
  bg: {
    time: 'кога',
    number: 'колко',
    person: 'кой',
    manner: 'как да|как мога|как се|какво да правя|какво трябва да',
  },
  bn: { time: 'কখন|কবে', number: 'কত|কতজন|কয়টি', person: 'কে|কারা', manner: 'কিভাবে|কীভাবে' },
  cs: {
    time: 'kdy|v kolik hodin|který den|jaký den',
    number: 'kolik|jak dlouho|jak vysoký|jak vysoká|jak vysoké',
    person: 'kdo',
    manner: 'jak|postup|co mám dělat|co dělat|co musím udělat|co mám udělat',
  },
  da: {
    time: 'hvornår|hvilken dag',
    number: 'hvor mange|hvor meget|hvor længe',
    person: 'hvem',
    manner: 'hvordan|hvad skal jeg gøre|hvad gør jeg|hvad skal man gøre',
  },
  de: {
    time: 'wann|welchem jahr|welchem tag|welcher tag|welchen tagen|welche uhrzeit|welcher uhrzeit',
    number:
      'wie viel|wie viele|wieviel|wieviele|wie lange|wie hoch|wie teuer|wie alt|wie schwer|wie groß',
    person: 'wer|wen|wem',
    manner:
      'wie kann|wie muss|wie lege|wie mache|wie gehe|wie funktioniert|wie bekomme|wie komme|wie beantrage|wie stelle|wie richte|wie lässt|wie wird|wie melde|wie geht|was muss ich tun|wie soll|was tun|was mache ich|was tue ich|was soll ich tun|was soll ich machen|was ist zu tun|was muss man tun|was ist zu beachten|wie (?!(?:la?ng|lange|viele?|oft|hoch|teuer|alt|schwer|groß|weit|spät|schnell)(?!\\p{L}))\\p{L}+ (?:ich|wir|man)',
  },
  el: {
    time: 'πότε',
    number: 'πόσο|πόσα|πόσοι|πόσες|πόσους',
    person: 'ποιος|ποια|ποιοι',
    manner: 'πώς|πως|τι κάνω|τι πρέπει να κάνω',
  },
  en: {
    time: 'when|what year|which year|what date|what time|which day|what day|which days|which month',
    number:
      'how many|how much|how long|how old|how far|how high|how heavy|how big|how large|how tall',
    person: 'who|whom|whose',
    manner:
      'how do|how can|how to|how does|how should|how would|how could|how did|what do i do|what should i do|what do i have to do|steps|instructions|what must i do|what are we supposed to do|what am i supposed to do|what to do',
  },
  es: {
    time: 'cuándo|qué año|qué hora|qué horas|qué día|qué días|qué mes',
    number: 'cuánto|cuánta|cuántos|cuántas',
    person: 'quién|quiénes',
    manner:
      'cómo|qué hago|qué tengo que hacer|pasos|qué debo hacer|qué hay que hacer|qué puedo hacer|qué se hace',
  },
  fa: {
    time: 'چه زمانی|چه سالی|چه ساعتی|چه روزی|چه تاریخی',
    number: 'چند|چقدر',
    person: 'چه کسی',
    manner: 'چگونه|چطور|چجوری|چه کار کنم|چه کنم|چکار کنم|چیکار کنم|چه باید کرد|چه کاری باید',
  },
  fi: {
    time: 'milloin|mihin aikaan|minä päivänä',
    number: 'kuinka monta|kuinka paljon|kuinka kauan',
    person: 'kuka|ketkä',
    manner:
      'miten|kuinka voin|kuinka saan|ohjeet|mitä pitää tehdä|mitä teen|mitä minun pitää|mitä tehdä',
  },
  fr: {
    time: 'quand|quelle année|quelle heure|quelles heures|quel jour|quels jours|quel mois|quelle date',
    number: 'combien',
    person: 'qui',
    manner:
      'comment|que faire|que dois[- ]je faire|que faut[- ]il faire|dois faire quoi|fais quoi|quoi faire|étapes',
  },
  he: {
    time: 'מתי|באיזו שעה|באיזה יום',
    number: 'כמה',
    person: 'מי',
    manner: 'איך|כיצד|מה עושים|מה לעשות|מה עלי לעשות|מה אני עושה|מה צריך לעשות',
  },
  hi: {
    time: 'कब',
    number: 'कितना|कितने|कितनी',
    person: 'कौन|किसने',
    manner: 'कैसे|क्या करें|क्या करूँ|क्या करना',
  },
  hu: {
    time: 'mikor',
    number: 'hány|mennyi|meddig',
    person: 'kicsoda|kik',
    manner: 'hogyan|hogy lehet|hogy kell|mit kell tenni|mit tegyek|mi a teendő|mit kell tennem',
  },
  id: {
    time: 'kapan|jam berapa|hari apa|tanggal berapa',
    number: 'berapa',
    person: 'siapa',
    manner: 'bagaimana|gimana|cara|apa yang harus|apa yang perlu|harus bagaimana|harus apa|langkah',
  },
  it: {
    time: 'quando|quale anno|che anno|che ora|che ore|quale giorno|che giorno|quali giorni|che mese|quale mese',
    number: 'quanto|quanta|quanti|quante',
    person: 'chi',
    manner:
      'come si|come posso|come faccio|come devo|cosa devo fare|come|cosa faccio|che cosa devo fare|che devo fare|cosa si deve fare|cosa bisogna fare|cosa fare|che fare',
  },
  ja: {
    time: 'いつ|何年|何月|何日|何時|何曜日',
    number:
      'いくつ|いくら|何人|何個|何回|どのくらい|どれくらい|何名|何円|何度|何分|何時間|何枚|何歳|何日間|何泊|何割|何パーセント|何台',
    person: '誰|だれ',
    manner:
      'どうやって|どうすれば|どのように|方法|手順|やり方|仕方|どうしたら|どうしたらいい|どうすべき|何をすれば',
  },
  ko: {
    time: '언제|몇 년|몇 시|무슨 요일',
    number: '몇|얼마|며칠',
    person: '누구|누가',
    manner: '어떻게|방법|절차|뭘 해야|무엇을 해야|어떡해',
  },
  nl: {
    time: 'wanneer|welk jaar|hoe laat|welke dag|welke dagen|welke datum',
    number: 'hoeveel|hoe lang|hoe hoog|hoe zwaar|hoe duur|hoe oud|hoe groot',
    person: 'wie',
    manner:
      'hoe kan|hoe moet|hoe doe|hoe werkt|hoe stel|hoe maak|hoe krijg|hoe zet|hoe meld|hoe vraag|wat moet ik doen|wat te doen|wat doe ik|wat moet er gebeuren|wat moet je doen|wat moeten we doen|hoe (?!(?:lang|veel|vaak|hoog|zwaar|duur|oud|groot|ver|laat|snel)(?!\\p{L}))\\p{L}+ (?:ik|we|wij|men)',
  },
  no: {
    time: 'når',
    number: 'hvor mange|hvor mye|hvor lenge',
    person: 'hvem',
    manner: 'hvordan|hva skal jeg gjøre|hva gjør jeg|hva må jeg gjøre',
  },
  pl: {
    time: 'kiedy|którym roku|której godzinie|jakich godzinach|jaki dzień|który dzień|jakiego dnia',
    number: 'ile|ilu|jak długo|jak często',
    person: 'kto',
    manner:
      'jak|w jaki sposób|co zrobić|co mam zrobić|co robić|co należy zrobić|co powinienem|co powinnam',
  },
  pt: {
    time: 'quando|que ano|que horas|que hora|que dia|que dias|que mês|qual dia|qual horário',
    number: 'quanto|quanta|quantos|quantas',
    person: 'quem',
    manner:
      'como|o que faço|passos|o que devo fazer|o que fazer|o que eu faço|o que tenho que fazer|o que preciso fazer|o que é preciso fazer',
  },
  ro: {
    time: 'când|ce an',
    number: 'cât|câtă|câți|câte|cât timp',
    person: 'cine',
    manner: 'cum|ce trebuie să fac|ce fac|ce să fac',
  },
  ru: {
    time: 'когда|каком году|котором часу|какой день|какого числа',
    number: 'сколько|как долго',
    person: 'кто|кого|кем',
    manner: 'как|каким образом|что делать',
  },
  sv: {
    time: 'när|vilket år|vilken tid|vilken dag',
    number: 'hur många|hur mycket|hur länge',
    person: 'vem',
    manner:
      'hur gör|hur kan|hur får|hur ska|hur skickar|hur beställer|hur ändrar|hur fungerar|vad ska jag göra|vad gör jag|vad måste jag göra|vad gör man|hur (?!(?:långt?|länge|många|mycket|ofta|högt?|stort?|tungt?|gammalt?)(?!\\p{L}))\\p{L}+ (?:jag|vi|man)',
  },
  th: {
    time: 'เมื่อไหร่|เมื่อไร|เมื่อใด|ปีใด|ปีไหน',
    number: 'กี่|เท่าไหร่|เท่าไร|เท่าใด',
    person: 'ใคร',
    manner: 'อย่างไร|ยังไง|วิธี|ขั้นตอน',
  },
  tr: {
    time: 'ne zaman|hangi yıl|hangi gün|saat kaçta',
    number: 'kaç|ne kadar',
    person: 'kim|kimler',
    manner: 'nasıl|ne yapmalıyım|ne yapmam|ne yapmak|ne yapacağım|ne yapılmalı|ne yapayım',
  },
  uk: {
    time: 'коли|якому році',
    number: 'скільки',
    person: 'хто|кого',
    manner: 'як|яким чином|що робити',
  },
  vi: {
    time: 'khi nào|năm nào|mấy giờ|lúc nào|bao giờ',
    number: 'bao nhiêu|mấy|bao lâu',
    person: 'ai',
    manner: 'làm thế nào|làm sao|như thế nào|cách|phải làm gì|làm gì khi|cần làm gì',
  },
  zh: {
    time: '什么时候|什麼時候|何时|何時|哪一年|哪年|哪天',
    number: '多少|几个|幾個|几次|几名|多长|多大',
    person: '谁|誰',
    manner: '怎么|怎麼|如何|怎样|怎樣|步骤|步驟|流程|怎么办|怎麼辦',
  },
};

/** More specific types come first: "how long" before "how". */
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
 * Finds what a question asks for by its question words; undefined if it has none. Its own language decides
 * which words count, if it can be detected: "ai" asks "who" in Vietnamese and means "to the" in Italian.
 *
 * @param languages those of the passages (BCP 47); null for an unknown one. If the question has none of
 *   their question words, it may be in another language.
 */
export function findAnswerType(
  question: string,
  languages: readonly (string | null)[],
): AnswerType | undefined {
  const text = question.normalize('NFC');
  const codes = new Set(languages.map((language) => language?.split('-')[0] ?? ''));
  const own = detectQuestionLanguage(question);
  if (own !== undefined && PATTERNS.has(own)) {
    return matchType(text, [own]) ?? (codes.has(own) ? undefined : matchType(text, [...codes]));
  }
  return (
    matchType(text, [...codes]) ??
    matchType(
      text,
      [...PATTERNS.keys()].filter((code) => !codes.has(code)),
    )
  );
}

/** Finds what a question asks for by the question words of one language alone. */
export const findAnswerTypeIn = (
  question: string,
  language: string | null,
): AnswerType | undefined => matchType(question.normalize('NFC'), [language?.split('-')[0] ?? '']);

/** Listed words that alone do not ask for more than yes or no: those of such questions, "many", "much". */
const WHETHER =
  'est-ce هل آیا האם क्या apakah mi mı mu mü หรือไม่ ไหม 吗 嗎 呢 many much viel viele mange mye meget många mycket hvis de palju';
/** Question words that ask only at the beginning of a clause; elsewhere they join clauses. */
const JOINING =
  'que qui quoi che chi qual cual como come quando cuando quand donde dove onde où quien quienes wie was als jak kdy kde како как что чего когда як що коли când unde cum ce că quanto cuanto';

/** Forms that the lists of question words lack. */
const FORMS = ["qu['’]est-ce", 'nedir', '何'];

/** Whether a question has one of its language's words that ask for more than yes or no. */
export function hasQuestionWord(question: string): boolean {
  const language = detectQuestionLanguage(question) ?? '';
  const listed = ASKING_WORDS[language]?.split(' ') ?? [];
  const but = (words: string) =>
    [...listed, ...FORMS].filter((word) => !words.split(' ').includes(word));
  const asking = but(WHETHER);
  const only = but(`${WHETHER} ${JOINING}`);
  const text = question.normalize('NFC');
  if (WITHOUT_SPACES.has(language)) return asking.some((word) => text.includes(word));
  return new RegExp(
    `(?:^|[,;:.?!¿—–]) *(?:${asking.join('|')})(?![\\p{L}\\p{M}])|(?<![\\p{L}\\p{M}])(?:${only.join('|')})(?![\\p{L}\\p{M}])`,
    'iu',
  ).test(text);
}

function matchType(text: string, codes: readonly string[]): AnswerType | undefined {
  const patterns = codes.flatMap((code) => PATTERNS.get(code) ?? []);
  return TYPES.find((type) => patterns.some((one) => one.type === type && one.pattern.test(text)));
}

const NUMBER = /(?<!\p{Nd})\p{Nd}+/gu;
/** A capitalized word that does not begin a sentence. */
const NAME = /(?<=[\p{Ll}\p{M}\p{Nd},;:)]["'”’»]?\s["'“‘«(]?)\p{Lu}[\p{L}\p{M}'’-]+/gu;

/** Whether a sentence has a number or a name, as the question asks, that is not in the question itself. */
export function hasAnswerType(sentence: string, type: AnswerType, question: string): boolean {
  const found = sentence.match(type === 'person' ? NAME : NUMBER) ?? [];
  return found.some((one) => !question.includes(one));
}

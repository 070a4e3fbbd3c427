import { normalizeText } from '@latchkey/text/fold-text';
import { isStopWord } from '@latchkey/text/language/languages';
import { detectQuestionLanguage } from '@latchkey/text/language/question-language';
import { stem, tokenize } from '@latchkey/text/tokenize';

/** A question that lists documents, such as “Which documents are there about returns?” */
export interface AskedList {
  /** What the documents are to be about, as stems; empty for all. */
  readonly about: ReadonlySet<string>;
  /** Whether it speaks of documents; else of what their metadata name: “Which manuals are there?” */
  readonly namesDocuments: boolean;
  /** Whether it asks how many there are. */
  readonly counts: boolean;
  /** BCP 47. */
  readonly language: string;
}

/** The words of such questions in a language, as alternatives of a pattern. */
interface Words {
  readonly documents: string;
  readonly count: string;
  readonly which: string;
  readonly exist: string;
  /** Stands before what the documents are about. */
  readonly about: string;
}

const WORDS: Readonly<Record<string, Words>> = {
  en: {
    documents: 'documents?|files?',
    count: 'how many',
    which: 'which|what|list(?: all)?|show(?: me)?(?: all)?',
    exist: 'are there|is there|there are|do you have|have you got|exist|available|are|all|please',
    about: 'about|on|for|from|regarding|concerning',
  },
  de: {
    documents: 'dokumenten?|dateien|unterlagen',
    count: 'wie ?viele',
    which: 'welche|liste|zeige?(?: mir)?|nenne?(?: mir)?',
    exist: 'gibt es|habt ihr|haben sie|hast du|existieren|sind|vorhanden|alle|insgesamt|bitte',
    about: 'zu|zum|zur|über|von|vom',
  },
  fr: {
    documents: 'documents?|fichiers?',
    count: "combien (?:de|d[’'])",
    which: 'quels|liste|montre(?:-moi)?',
    exist: 'y a-t-il|il y a|avez-vous|as-tu|existent|sont|disponibles|tous|les',
    about: 'sur|concernant|à propos d(?:e|u|es)|au sujet d(?:e|u|es)|parlent d(?:e|u|es)',
  },
  es: {
    documents: 'documentos?|archivos?',
    count: 'cuántos',
    which: 'qué|cuáles|lista|muestra(?:me)?',
    exist: 'hay|tienes?|tienen|tenéis|existen|son|disponibles|todos|los',
    about: 'sobre|acerca del?|tratan del?|hablan del?',
  },
  it: {
    documents: 'documenti|file',
    count: 'quanti',
    which: 'quali|che|elenca|mostra(?:mi)?',
    exist: 'ci sono|avete|hai|esistono|sono|disponibili|tutti|i',
    about: 'su|sui|sul|sulla|sulle|sugli|riguardo a|che parlano di',
  },
  pt: {
    documents: 'documentos?|arquivos?|ficheiros?',
    count: 'quantos',
    which: 'quais|que|lista|mostra(?:-me)?',
    exist: 'há|existem|tem|têm|são|disponíveis|todos|os',
    about: 'sobre|acerca d(?:e|o|a|os|as)',
  },
  nl: {
    documents: 'documenten|bestanden',
    count: 'hoeveel',
    which: 'welke|toon|lijst',
    exist: 'zijn er|heb je|heeft u|hebben jullie|er|zijn|bestaan|alle|de',
    about: 'over|van|voor',
  },
  pl: {
    documents: 'dokumenty|dokumentów|pliki|plików',
    count: 'ile',
    which: 'jakie|które|pokaż|wymień',
    exist: 'są|jest|macie|masz|istnieje|istnieją|dostępne|wszystkie',
    about: 'o|na temat|dotyczące|dotyczących',
  },
  sv: {
    documents: 'dokument|filer',
    count: 'hur många',
    which: 'vilka|visa|lista',
    exist: 'finns det|finns|har ni|har du|alla',
    about: 'om|från',
  },
  da: {
    documents: 'dokumenter|filer',
    count: 'hvor mange',
    which: 'hvilke|vis|list',
    exist: 'er der|findes der|findes|har i|har du|alle',
    about: 'om|fra',
  },
  no: {
    documents: 'dokumenter|filer',
    count: 'hvor mange',
    which: 'hvilke|vis|list',
    exist: 'er det|finnes det|finnes|har dere|har du|alle',
    about: 'om|fra',
  },
  ru: {
    documents: 'документов|документы|файлов|файлы',
    count: 'сколько',
    which: 'какие|покажи(?:те)?|перечисли(?:те)?',
    exist: 'у вас|есть|имеется|имеются|всего|все',
    about: 'о|об|по|про',
  },
  uk: {
    documents: 'документів|документи|файлів|файли',
    count: 'скільки',
    which: 'які|покажи(?:ть)?|перелічи',
    exist: 'у вас|є|існує|існують|усього|всього|усі|всі',
    about: 'про|щодо',
  },
};
/** Questions for all documents in languages that write them without spaces. */
const WHOLE: Readonly<Record<string, RegExp>> = {
  ja: /^(?:どの|どんな|どのような|何の)?(?:ドキュメント|文書|資料|ファイル)(?:は|が)?(?:全部で)?(?<count>いくつ|何件|何個)?(?:ありますか|あります|ある)$/u,
  ko: /^(?:어떤 ?)?(?:문서|파일|자료)(?:가|는|들이)? ?(?<count>(?:모두 ?)?몇 ?개(?:가|나)? ?)?(?:있나요|있습니까|있어요)$/u,
  zh: /^(?:你|您|你们|知识库)?(?:里|中)?(?:一共|共)?有(?:哪些|什么|(?<count>多少|几)(?:个|份|篇)?)(?:文档|文件|资料)$/u,
};
/** A longer question asks for more than a list. */
const MAX_LENGTH = 120;
const PUNCTUATION = /[¿?？.。!,;:]+/gu;
/** Longer titles and values of metadata say more than a name. */
const MAX_TEXT_LENGTH = 200;
/** Further values of a document are ignored, since each is compared. */
const MAX_VALUES = 20;

/** @returns undefined for a question that asks for no list of documents, or in a language without words for it */
export function findAskedList(question: string): AskedList | undefined {
  if (question.length > MAX_LENGTH) return undefined;
  const text = normalizeText(question).toLowerCase().replace(PUNCTUATION, ' ').trim();
  const language = detectQuestionLanguage(question) ?? '';
  const whole = WHOLE[language]?.exec(text);
  if (whole) {
    const counts = whole.groups?.['count'] !== undefined;
    return { about: new Set(), namesDocuments: true, counts, language };
  }
  const words = WORDS[language];
  if (!words) return undefined;
  const [, asked = '', topic] =
    new RegExp(`^(.*?)(?:(?<!\\p{L})(?:${words.about})(?!\\p{L})(.*))?$`, 'u').exec(text) ?? [];
  const found = { documents: false, count: false, which: false, exist: false };
  let rest = asked;
  for (const kind of ['documents', 'count', 'which', 'exist'] as const) {
    const without = strip(rest, words[kind]);
    found[kind] = without !== rest;
    rest = without;
  }
  // The question may end with "are there": "… from the support department are there".
  const about = toContentStems(`${rest} ${strip(topic ?? '', words.exist)}`, language);
  const isPlain = rest.trim() === '';
  const isForDocuments = found.documents && isPlain && (topic === undefined || about.size > 0);
  const isForNamed = !found.documents && found.exist && topic === undefined && about.size > 0;
  if (!(found.count || found.which) || !(isForDocuments || isForNamed)) return undefined;
  return { about, namesDocuments: found.documents, counts: found.count, language };
}

/**
 * Whether a list has a document: its title and metadata have every word that is asked for. Where the question does
 * not speak of documents, these are one value of the metadata.
 */
export function isListed(
  { about, namesDocuments, language }: AskedList,
  title: string,
  values: readonly string[],
): boolean {
  const short = values.filter((value) => value.length <= MAX_TEXT_LENGTH).slice(0, MAX_VALUES);
  const hasAll = (stems: ReadonlySet<string>) => [...about].every((one) => stems.has(one));
  if (namesDocuments) {
    const texts = [title.slice(0, MAX_TEXT_LENGTH), ...short]
      .join('\n')
      .slice(0, MAX_TEXT_LENGTH * 4);
    return hasAll(toContentStems(texts, language));
  }
  return short.some((value) => {
    const stems = toContentStems(value, language);
    return stems.size === about.size && hasAll(stems);
  });
}

const strip = (text: string, words: string): string =>
  text.replace(new RegExp(`(?<![\\p{L}\\p{M}])(?:${words})(?![\\p{L}\\p{M}])`, 'gu'), ' ');

const toContentStems = (text: string, language: string): ReadonlySet<string> =>
  new Set(
    tokenize(normalizeText(text), language)
      .filter((word) => !isStopWord(word, language))
      .map((word) => stem(word, language)),
  );

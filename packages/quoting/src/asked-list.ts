import { normalizeText } from '@latchkey/text/fold-text';
import { isStopWord } from '@latchkey/text/language/languages';
import { detectQuestionLanguage } from '@latchkey/text/language/question-language';
import { stem, tokenize } from '@latchkey/text/tokenize';
import { findAnswerType, hasQuestionWord } from './question-type.js';

/** A question that lists documents, such as “Which documents are about returns?” */
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

/** Words for documents, by language; a word may have another ending. */
const DOCUMENTS: Readonly<Record<string, string>> = {
  ar: 'وثيقة|وثائق|الوثائق|مستند|مستندات|المستندات|ملفات|الملفات',
  bg: 'документ|файл',
  cs: 'dokument|soubor',
  da: 'dokument|fil(?=er|$)',
  de: 'dokument|datei|unterlage',
  el: 'έγγραφ|αρχεί',
  en: 'document|file',
  es: 'documento|archivo',
  fa: 'سند|اسناد|فایل',
  fi: 'asiakirj|dokument|tiedosto',
  fr: 'document|fichier',
  he: 'מסמך|מסמכים|קובץ|קבצים',
  hu: 'dokumentum|fájl',
  id: 'dokumen|berkas',
  it: 'document|file',
  ja: 'ドキュメント|文書|資料|ファイル',
  ko: '문서|파일|자료',
  nl: 'document|bestand',
  no: 'dokument|fil(?=er|$)',
  pl: 'dokument|plik',
  pt: 'document|arquivo|ficheiro',
  ro: 'document|fișier',
  ru: 'документ|файл',
  sv: 'dokument|fil(?=er|$)',
  th: 'เอกสาร|ไฟล์',
  tr: 'belge|dosya|doküman',
  uk: 'документ|файл',
  vi: 'tài liệu|văn bản|tệp',
  zh: '文档|文檔|文件|资料|資料',
};
/** Words beside them that ask for all there are. */
const EXISTING: Readonly<Record<string, string>> = {
  da: 'findes|list|alle',
  de: 'gibt|existieren|vorhanden|liste|zeig|alle',
  en: 'list|show|exist|available|stored|uploaded|total|all',
  es: 'hay|lista|muestra|existen|todos',
  fr: 'existe|liste|montre|tous',
  id: 'ada|saja|daftar|semua',
  it: 'ci|sono|esistono|elenca|tutti',
  ja: 'いくつ|何件|ありますか|あります|すべて|全部|一覧|どんな|どの',
  ko: '몇|개|있나요|있습니까|있어요|모든|목록|어떤|전체',
  nl: 'bestaan|lijst|toon|alle',
  no: 'finnes|list|alle',
  pl: 'są|istnieją|lista|wszystkie',
  pt: 'existem|lista|mostra|todos',
  ru: 'есть|имеются|список|все|всего',
  sv: 'finns|lista|alla',
  th: 'มี|กี่|ฉบับ|อะไรบ้าง|ทั้งหมด',
  tr: 'var|mevcut|listele|tüm',
  uk: 'є|існують|список|всі|усього',
  vi: 'có|bao nhiêu|những|nào|tất cả',
  zh: '有多少|多少|有哪些|哪些|几个|幾個|几份|列出|所有|全部|一共|有|个|個|份|里|裡|中|知识库',
};
const UNSPACED = new Set(['ja', 'ko', 'th', 'zh']);
/** A longer question asks for more than a list. */
const MAX_LENGTH = 160;
/** Particles of languages without spaces between words. */
const PARTICLES = /[のはがをにでもと的了吗嗎呢您你我们們这這가이은는을를에의]/gu;

/** @returns undefined for a question that asks for no list of documents, or in a language without words for it */
export function findAskedList(question: string): AskedList | undefined {
  const text = normalizeText(question).toLowerCase();
  const language = detectQuestionLanguage(question);
  const documents = DOCUMENTS[language ?? ''];
  if (language === undefined || documents === undefined || text.length > MAX_LENGTH) return;
  const type = findAnswerType(question, [language]);
  const counts = type === 'number';
  const existing = EXISTING[language] ?? '(?!)';
  const toPattern = (words: string, ending: string) =>
    UNSPACED.has(language)
      ? new RegExp(`(?:${words})`, 'gu')
      : new RegExp(`(?<![\\p{L}\\p{M}])(?:${words})${ending}(?![\\p{L}\\p{M}])`, 'gu');
  const withoutDocuments = text.replace(toPattern(documents, '[\\p{L}\\p{M}]{0,4}'), ' ');
  const namesDocuments = withoutDocuments !== text;
  const rest = withoutDocuments.replace(toPattern(existing, ''), ' ');
  const asks = counts || hasQuestionWord(question) || rest !== withoutDocuments;
  if ((type !== undefined && !counts) || !asks) return;
  const words = tokenize(UNSPACED.has(language) ? rest.replace(PARTICLES, ' ') : rest, language);
  const about = words.filter((word) => !isStopWord(word, language));
  if (!namesDocuments && about.length === 0) return;
  const stems = new Set(about.map((word) => stem(word, language)));
  return { about: stems, namesDocuments, counts, language };
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
  const toStems = (text: string) =>
    new Set(tokenize(normalizeText(text), language).map((word) => stem(word, language)));
  const hasAll = (stems: ReadonlySet<string>) => [...about].every((one) => stems.has(one));
  if (namesDocuments) return hasAll(toStems([title, ...values].join('\n')));
  return values.map(toStems).some((stems) => stems.size === about.size && hasAll(stems));
}

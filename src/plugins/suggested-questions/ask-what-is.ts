import { splitSentences } from '@latchkey/text/sentences';

/** A sentence that says what something is, and how people ask for that, by the language of the document. */
const DEFINING: Readonly<Record<string, readonly [RegExp, (term: string) => string]>> = {
  en: [/^((?:an? |the )?\p{Lu}.*?) (?:is|are) (?:an?|the) /u, (term) => `What is ${term}?`],
  de: [
    /^((?:D(?:er|ie|as) )?\p{Lu}.*?) ist (?:eine?|d(?:er|ie|as)) /u,
    (term) => `Was ist ${term}?`,
  ],
  fr: [/^(L[ea] .*?|L['’].*?) est (?:une?|l[ea]) /u, (term) => `Qu’est-ce que ${term} ?`],
  es: [/^((?:El|La) .*?) es (?:una?|el|la) /u, (term) => `¿Qué es ${term}?`],
  ja: [/^(.*?)とは、/u, (term) => `${term}とは何ですか？`],
  zh: [/^(.*?)是(?:一[种个款]|指)/u, (term) => `${term}是什么？`],
};
const ARTICLE = /^(?:An?|The|D(?:er|ie|as)|L[ea]|El) /u;
const PRONOUN =
  /^(?:It|This|That|These|Those|There|Here|What|Which|He|She|Es|Dies\S*|Das|Hier|这|那|它|これ|それ)\b/u;
const WORDS = 4;
const LENGTH = 30;

/** Asks what things are that a text explains. */
export function askWhatIs(text: string, language: string | null): string[] {
  const defining = DEFINING[language?.split('-')[0] ?? ''];
  if (!defining) return [];
  const [pattern, ask] = defining;
  return [...splitSentences(text)].flatMap((sentence) => {
    const term = pattern.exec(sentence.trim())?.[1];
    if (term === undefined || term.length > LENGTH || term.split(' ').length > WORDS) return [];
    return PRONOUN.test(term) || !/^[\p{L}\p{N} '’-]+$/u.test(term)
      ? []
      : [ask(lowerArticle(term))];
  });
}

const lowerArticle = (term: string): string =>
  term.replace(ARTICLE, (article) => article.toLowerCase());

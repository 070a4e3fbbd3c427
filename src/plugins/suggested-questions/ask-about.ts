const MAX_LENGTH = 80;
const LETTERS = /\p{L}{2,}/gu;
const LONG_WORD = /\p{L}{7,}/u;
/** Scripts that put no spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]{3,}/u;
const IS_QUESTION = /[?？؟]$/u;
/** The number of a chapter before its heading. */
const NUMBER = /^(?:\d+(?:\.\d+)*[.)]?|[IVX]+[.)]|[A-Z][.)]|§\s*\d+)\s+/u;

/** How people ask about a topic, by the language of the document. In others, the topic with a question mark asks. */
const ASKING: Readonly<Record<string, (topic: string) => string>> = {
  en: (topic) => `What should I know about “${topic}”?`,
  de: (topic) => `Was muss ich über „${topic}“ wissen?`,
  fr: (topic) => `Que faut-il savoir sur « ${topic} » ?`,
  es: (topic) => `¿Qué hay que saber sobre «${topic}»?`,
  it: (topic) => `Che cosa bisogna sapere su «${topic}»?`,
  pt: (topic) => `O que é preciso saber sobre «${topic}»?`,
  nl: (topic) => `Wat moet ik weten over “${topic}”?`,
  ja: (topic) => `「${topic}」について教えてください。`,
  zh: (topic) => `关于“${topic}”，需要了解什么？`,
  ar: (topic) => `ماذا يجب أن أعرف عن «${topic}»؟`,
};

/** Makes a question of a heading; none of one that says nothing by itself, such as “Phase 2” or “Title”. */
export function askAbout(heading: string, language: string | null): string | undefined {
  const topic = heading.replace(NUMBER, '').trim();
  if (topic.length > MAX_LENGTH || !saysSomething(topic)) return undefined;
  if (IS_QUESTION.test(topic)) return topic;
  return ASKING[language?.split('-')[0] ?? '']?.(topic) ?? `${topic}?`;
}

const saysSomething = (text: string): boolean =>
  UNSPACED.test(text) || LONG_WORD.test(text) || (text.match(LETTERS) ?? []).length >= 2;

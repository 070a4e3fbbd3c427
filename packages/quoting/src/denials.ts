import { tokenize } from '@latchkey/text/tokenize';
import { isStopWord } from '@latchkey/text/language/languages';
import { toLanguageCode } from './calendar-names.js';

/** Words that answer "when" and "how much" instead of a time or a number: never, none, nothing. */
const WORDS: Readonly<Record<string, string>> = {
  ar: 'أبدا لا ليس ليست بدون',
  bg: 'никога няма не нищо без',
  bn: 'না নেই কখনো',
  cs: 'nikdy žádný žádná žádné nic není bez',
  da: 'aldrig ingen intet ikke uden',
  de: 'nie niemals kein keine keinen keiner nichts nicht',
  el: 'ποτέ κανένα καμία κανένας δεν τίποτα χωρίς',
  en: 'never no none nothing not cannot without',
  es: 'nunca jamás ningún ninguna ninguno nada no sin',
  fa: 'هرگز هیچ نیست ندارد بدون',
  fi: 'koskaan ei eivät mitään ilman',
  fr: 'jamais aucun aucune rien pas sans',
  he: 'אף לא אין לעולם ללא',
  hi: 'कभी नहीं कोई बिना',
  hu: 'soha nincs nincsenek nem semmi nélkül',
  id: 'tidak tak tanpa pernah',
  it: 'mai nessun nessuna nessuno niente nulla non senza',
  nl: 'nooit geen niets niet zonder',
  no: 'aldri ingen intet ikke uten',
  pl: 'nigdy żaden żadna żadne nic nie bez',
  pt: 'nunca jamais nenhum nenhuma nada não sem',
  ro: 'niciodată niciun nicio nimic nu fără',
  ru: 'никогда нет не ничего никакой без',
  sv: 'aldrig ingen inget inga inte utan',
  tr: 'asla hiç yok değil',
  uk: 'ніколи немає не нічого без',
  vi: 'không chưa chẳng',
};
const DENYING = new Map(
  Object.entries(WORDS).map(([code, words]) => [code, new Set(words.split(' '))]),
);
/** Patterns for languages that deny within a word or at its end. */
const WITHIN: Readonly<Record<string, RegExp>> = {
  ja: /ありません|ません|ない|無い|なし|無料/u,
  ko: /없|않|무기한/u,
  th: /ไม่/u,
  zh: /不|没有|沒有|无|無|永/u,
};
const LETTER = /\p{L}/u;

/**
 * Whether a sentence denies anything.
 *
 * @param language BCP 47
 */
export function hasDenial(text: string, language: string | null): boolean {
  const code = toLanguageCode(language);
  if (code === undefined) return false;
  const denying = DENYING.get(code);
  return (
    WITHIN[code]?.test(text) ??
    (denying !== undefined && tokenize(text, language).some((word) => denying.has(word)))
  );
}

/**
 * Whether a sentence answers with "never" or "none": it has a word that denies, and every other word is a stop
 * word or stands in the question. With another content word it would deny something else.
 *
 * @param isAsked whether the question has a word
 * @param language BCP 47
 */
export function denies(
  text: string,
  language: string | null,
  isAsked: (word: string) => boolean,
): boolean {
  const code = toLanguageCode(language);
  if (code === undefined) return false;
  const within = WITHIN[code];
  // Texts of these languages are tokenized into pairs of characters, which are no words.
  if (within) return within.test(text);
  const denying = DENYING.get(code);
  const words = tokenize(text, language).filter((word) => LETTER.test(word));
  return (
    denying !== undefined &&
    words.some((word) => denying.has(word)) &&
    words.every((word) => denying.has(word) || isStopWord(word, language) || isAsked(word))
  );
}

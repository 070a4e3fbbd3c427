import { foldText } from '@latchkey/text/fold-text';
import { toIntlCode } from './calendar-names.js';
import { CURRENCY_CODES } from './currencies.js';

type Names = ReadonlyMap<string, ReadonlySet<string>>;
const namesByLanguage = new Map<string, Names>();
/** Of an amount in a question: "75 euros", "75 US dollars". */
const AMOUNT = /\p{Nd} ?(?:\p{L}{2} )?(\p{L}{3,})/gu;
/** A shorter word is also part of other names: "US". */
const MIN_WORD = 3;
/** Further amounts of a question are ignored. */
const MAX_ASKED = 20;

/** A word of a question that names a currency, with the codes and signs of what it names. */
export interface AskedCurrency {
  readonly word: string;
  readonly forms: readonly string[];
}

/** Finds the currencies of a question's first amounts. */
export function findAskedCurrencies(
  question: string,
  language: string | undefined,
): readonly AskedCurrency[] {
  const words = new Set([...question.matchAll(AMOUNT)].map(([, word = '']) => foldText(word)));
  if (words.size === 0) return [];
  const names = getNames(toIntlCode(language) ?? 'en');
  return [...words].slice(0, MAX_ASKED).flatMap((word) => {
    const forms = names.get(word);
    return forms ? [{ word, forms: [...forms] }] : [];
  });
}

/**
 * Finds the words of a question's amounts that name a currency which a text has by its code or sign: "euros" in
 * "Price (EUR)".
 */
export const findSameCurrencies = (asked: readonly AskedCurrency[], text: string): string[] =>
  asked.filter(({ forms }) => forms.some((form) => text.includes(form))).map(({ word }) => word);

/** The codes and signs of the currencies that each word names. */
function getNames(code: string): Names {
  const known = namesByLanguage.get(code);
  if (known) return known;
  const names = new Map<string, Set<string>>();
  for (const currency of CURRENCY_CODES) {
    const list = (currencyDisplay: 'name' | 'narrowSymbol') =>
      [1, 2, 5].flatMap((count) =>
        new Intl.NumberFormat(code, { style: 'currency', currency, currencyDisplay })
          .formatToParts(count)
          .flatMap(({ type, value }) => (type === 'currency' ? value : [])),
      );
    for (const word of list('name').flatMap((name) => foldText(name).split(' '))) {
      if (word.length < MIN_WORD) continue;
      const forms = names.get(word) ?? new Set<string>();
      for (const form of [currency, ...list('narrowSymbol')]) forms.add(form);
      names.set(word, forms);
    }
  }
  namesByLanguage.set(code, names);
  return names;
}

/** An ending, with what it is replaced by, of words that are longer than `longerThan`. */
type Rule = readonly [longerThan: number, ending: RegExp, replacement: string];

const ARTICLES: readonly Rule[] = [
  [6, /ият$/, ''],
  [5, /(?:ът|то|те|та|ия)$/, ''],
  [4, /ят$/, ''],
];
const PLURALS: readonly Rule[] = [
  [6, /овци$/, 'о'],
  [6, /ове$/, ''],
  [6, /еве$/, 'й'],
  [5, /(?:ища|та)$/, ''],
  [5, /ци$/, 'к'],
  [5, /зи$/, 'г'],
  [5, /е(.)и$/, 'я$1'],
  [4, /си$/, 'х'],
  [4, /и$/, ''],
];
const VOWELS: readonly (readonly Rule[])[] = [
  [[3, /[аое]?я$|[аое]$/, '']],
  [[4, /ен$/, 'н']],
  [[5, /ъ(.)$/, '$1']],
];
const MIN_LENGTH = 4;

/**
 * Light stemming by Savoy ("Searching Strategies for the Bulgarian Language"), as in Lucene: takes off
 * article, plural and final vowel. The port in `@orama/stemmers` throws wherever a letter is replaced,
 * which is at one in seven words of a dictionary; at all others this gives the same stems.
 */
export function stemBulgarian(word: string): string {
  if (word.length < MIN_LENGTH) return word;
  if (word.length > 5 && word.endsWith('ища')) return word.slice(0, -3);
  return [ARTICLES, PLURALS, ...VOWELS].reduce(applyFirst, word);
}

function applyFirst(word: string, rules: readonly Rule[]): string {
  const rule = rules.find(([longerThan, ending]) => word.length > longerThan && ending.test(word));
  return rule ? word.replace(rule[1], rule[2]) : word;
}

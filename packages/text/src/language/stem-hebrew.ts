/** Particles that are written together with the word behind them: and, the, in, to, as, that. */
const PARTICLES = 'והבלכש';
/** It does not make a word long enough for an ending: חנות is a shop, and so is החנות. */
const ARTICLE = 'ה';
const ENDINGS = /(?:ים|ות)$/;
const MIN_STEM = 3;

/**
 * A Hebrew word without particles before it and without the ending of the plural. Letters are taken
 * off as long as they may be particles, so that a word gives the same stem with the article and
 * without, even if it begins with such a letter itself.
 */
export function stemHebrew(word: string): string {
  const length = word.length - Number(word.startsWith(ARTICLE));
  const bare = length > MIN_STEM + 1 ? word.replace(ENDINGS, '') : word;
  let start = 0;
  while (bare.length - start > MIN_STEM && PARTICLES.includes(bare.charAt(start))) start++;
  return bare.slice(start);
}

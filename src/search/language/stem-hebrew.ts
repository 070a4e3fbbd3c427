/** Particles that are written together with the word behind them: and, the, in, to, from, that, as. */
const PARTICLES = /^(?:ו?[הבלמשכ]?ה?)/;
const MIN_STEM = 3;

/** A Hebrew word without particles before it and without the ending of the plural. */
export function stemHebrew(word: string): string {
  const particles = PARTICLES.exec(word)?.[0] ?? '';
  const bare =
    word.length - particles.length >= MIN_STEM
      ? word.slice(particles.length)
      : word.length > MIN_STEM && particles.length > 1
        ? word.slice(1)
        : word;
  return bare.length > MIN_STEM + 1 ? bare.replace(/(?:ים|ות)$/, '') : bare;
}

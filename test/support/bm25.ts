import { stemmer } from 'stemmer';

const K1 = 1.2;
const B = 0.75;
const TITLE_WEIGHT = 2;
const MIN_RARITY = 1e-6;

export interface Passage {
  title: string;
  heading?: string;
  text: string;
}

const tokens = (text: string): string[] =>
  (
    text
      .normalize('NFD')
      .replace(/\p{Mn}/gu, '')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).map((word) => stemmer(word));

/**
 * BM25 as SQLite's FTS5 defines it, written down once more and plainly: what both search indexes
 * are held to. A word in the title counts twice as an occurrence, once in the length.
 *
 * @param words what is left of the question, as it was typed; said twice, a word counts twice
 * @returns a score for each passage, 0 where no word occurs
 */
export function bm25(passages: Passage[], words: string): number[] {
  const rows = passages.map(({ title, heading = '', text }) => ({
    title: tokens(title),
    rest: [...tokens(heading), ...tokens(text)],
  }));
  const lengths = rows.map(({ title, rest }) => title.length + rest.length);
  const average = lengths.reduce((sum, length) => sum + length, 0) / rows.length;
  const count = (list: string[], term: string) => list.filter((token) => token === term).length;
  const scores = rows.map(() => 0);
  for (const term of tokens(words)) {
    const frequencies = rows.map(
      ({ title, rest }) => TITLE_WEIGHT * count(title, term) + count(rest, term),
    );
    const holding = frequencies.filter((frequency) => frequency > 0).length;
    const rarity = Math.log((rows.length - holding + 0.5) / (holding + 0.5));
    frequencies.forEach((frequency, row) => {
      const length = Number(lengths[row]) / average;
      const weight = (frequency * (K1 + 1)) / (frequency + K1 * (1 - B + B * length));
      scores[row] = Number(scores[row]) + Math.max(rarity, MIN_RARITY) * weight;
    });
  }
  return scores;
}

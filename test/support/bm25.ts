import { stemmer } from 'stemmer';
import { eng, removeStopwords } from 'stopword';

const K1 = 1.2;
const B = 0.75;
const TITLE_WEIGHT = 3;
const PAIR_WEIGHT = 0.3;
const PAIR_SATURATION = 0.6;

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

const telling = (text: string): string[] =>
  tokens(removeStopwords(text.toLowerCase().split(/[^\p{L}\p{N}\p{M}]+/u), eng).join(' '));

/** How often the words of a pair stand side by side in a part of a passage, stop words left out. */
const countPair = ({ title, heading = '', text }: Passage, [first, second]: string[]): number =>
  [title, heading, text]
    .map(telling)
    .flatMap((part) => part.filter((word, n) => part[n - 1] === first && word === second)).length;

/**
 * What is added to the scores because words of the question stand side by side, the more the rarer
 * that is among the passages that have any of them.
 */
function pairScores(passages: Passage[], words: string, found: boolean[]): number[] {
  const terms = tokens(words);
  const scores = passages.map(() => 0);
  for (const [n, second] of terms.slice(1).entries()) {
    const counts = passages.map((passage) => countPair(passage, [String(terms[n]), second]));
    const holding = counts.filter((count) => count > 0).length;
    const rarity = Math.log(1 + found.filter(Boolean).length / holding);
    counts.forEach((count, row) => {
      if (count === 0) return;
      scores[row] =
        Number(scores[row]) +
        (PAIR_WEIGHT * rarity * count * (PAIR_SATURATION + 1)) / (count + PAIR_SATURATION);
    });
  }
  return scores;
}

/**
 * BM25 with inverse document frequencies above zero, as Lucene defines them, written down once more
 * and plainly: what both search indexes are held to; and what pairs of words add. A word in the title
 * counts as three occurrences, once in the length.
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
    const rarity = Math.log(1 + (rows.length - holding + 0.5) / (holding + 0.5));
    frequencies.forEach((frequency, row) => {
      const length = Number(lengths[row]) / average;
      const weight = (frequency * (K1 + 1)) / (frequency + K1 * (1 - B + B * length));
      scores[row] = Number(scores[row]) + rarity * weight;
    });
  }
  const pairs = pairScores(
    passages,
    words,
    scores.map((score) => score > 0),
  );
  return scores.map((score, row) => score + Number(pairs[row]));
}

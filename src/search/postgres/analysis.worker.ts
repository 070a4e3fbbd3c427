import { type Analysis, analyse, type PassageText } from '../analysis.js';
import { TITLE_WEIGHT } from '../bounds.js';

/** What the tables of the index take in of a passage. */
export type IndexedPassage = Pick<Analysis, 'number' | 'fingerprint' | 'spellings'> & {
  readonly terms: readonly string[];
  /** How often each of the terms occurs, a title's more than once. */
  readonly frequencies: readonly number[];
  /** How many words it has. */
  readonly tokens: number;
};

export default (passages: PassageText[]): IndexedPassage[] =>
  passages.map((passage) => toIndexed(analyse(passage)));

function toIndexed({ number, fingerprint, spellings, ...parts }: Analysis): IndexedPassage {
  const counts = new Map<string, number>();
  let tokens = 0;
  for (const part of ['title', 'heading', 'text'] as const) {
    const weight = part === 'title' ? TITLE_WEIGHT : 1;
    for (const stem of parts[part].split(' ')) {
      if (stem === '') continue;
      tokens++;
      counts.set(stem, (counts.get(stem) ?? 0) + weight);
    }
  }
  const [terms, frequencies] = [[...counts.keys()], [...counts.values()]];
  return { number, fingerprint, spellings, terms, frequencies, tokens };
}

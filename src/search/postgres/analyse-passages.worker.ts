import { type AnalysedPassage, analysePassage, type PassageText } from '../analyse-passage.js';
import { TITLE_WEIGHT } from '../bounds.js';

/** What the tables of the index store of a passage. */
export type IndexedPassage = Pick<AnalysedPassage, 'number' | 'fingerprint' | 'spellings'> & {
  readonly terms: readonly string[];
  /** Term frequencies, by `terms`; an occurrence in the title counts TITLE_WEIGHT times. */
  readonly frequencies: readonly number[];
  /** How many words the passage has. */
  readonly tokens: number;
};

export default (passages: PassageText[]): IndexedPassage[] =>
  passages.map((passage) => toIndexed(analysePassage(passage)));

function toIndexed({ number, fingerprint, spellings, ...fields }: AnalysedPassage): IndexedPassage {
  const counts = new Map<string, number>();
  let tokens = 0;
  for (const field of ['title', 'heading', 'text'] as const) {
    const weight = field === 'title' ? TITLE_WEIGHT : 1;
    for (const stem of fields[field].split(' ')) {
      if (stem === '') continue;
      tokens++;
      counts.set(stem, (counts.get(stem) ?? 0) + weight);
    }
  }
  const [terms, frequencies] = [[...counts.keys()], [...counts.values()]];
  return { number, fingerprint, spellings, terms, frequencies, tokens };
}

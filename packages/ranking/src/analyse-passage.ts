import { countFailure } from '@latchkey/text/failures';
import { TITLE_WEIGHT } from './bounds.js';
import { writeFingerprint } from './fingerprint.js';
import { foldLetters } from '@latchkey/text/fold-text';
import { isStopWord } from '@latchkey/text/language/languages';
import { isCorrectable } from './spelling.js';
import { listSingleCharacters, stem, tokenize } from '@latchkey/text/tokenize';

export interface PassageText {
  readonly number: number;
  readonly title: string;
  readonly heading: string | null;
  readonly text: string;
  /** The language of its document (BCP 47); null while it is unknown. */
  readonly language: string | null;
}

/** The data of a passage that an index stores. */
export interface AnalysedPassage {
  readonly number: number;
  readonly language: string | null;
  /** How many words it has. */
  readonly tokens: number;
  /** Its distinct stems. */
  readonly terms: readonly string[];
  /** Term frequencies, by `terms`; an occurrence in the title counts TITLE_WEIGHT times. */
  readonly frequencies: readonly number[];
  /** See Fingerprint. */
  readonly fingerprint: Uint8Array;
  /** Words that misspelt ones may be corrected to, each with its stem. */
  readonly spellings: (readonly [word: string, stem: string])[];
}

export function analysePassage({
  number,
  title,
  heading,
  text,
  language,
}: PassageText): AnalysedPassage {
  const toStem = (word: string) => stem(word, language);
  const fields = [title, heading ?? '', text];
  const words = fields.map((field) => tokenize(field, language));
  const counts = new Map<string, number>();
  let tokens = 0;
  for (const [index, field] of fields.entries()) {
    const weight = index === 0 ? TITLE_WEIGHT : 1;
    for (const word of [...(words[index] ?? []), ...listSingleCharacters(field)]) {
      const term = toStem(word);
      counts.set(term, (counts.get(term) ?? 0) + weight);
      tokens++;
    }
  }
  const contentWords = words.map((some) => some.filter((word) => !isStopWord(word, language)));
  return {
    number,
    language,
    tokens,
    terms: [...counts.keys()],
    frequencies: [...counts.values()],
    fingerprint: writeFingerprint(
      text,
      contentWords.map((some) => some.map(toStem)),
    ),
    spellings: [...new Set(words.flat())]
      .map((word) => [foldLetters(word), toStem(word)] as const)
      .filter(([word]) => isCorrectable(word)),
  };
}

/** A passage that could not be analysed, and why. */
export interface FailedPassage {
  readonly number: number;
  readonly reason: string;
}

/**
 * Analyses passages of documents that are already searchable. A passage that cannot be analysed is left out, so
 * that it does not keep the others out of the index.
 */
export function analyseEach(passages: readonly PassageText[]): {
  readonly analysed: AnalysedPassage[];
  readonly failed: FailedPassage[];
} {
  const failed: FailedPassage[] = [];
  const analysed = passages.flatMap((passage) => {
    try {
      return [analysePassage(passage)];
    } catch (error) {
      countFailure('indexing', passage.language ?? '');
      failed.push({ number: passage.number, reason: String(error) });
      return [];
    }
  });
  return { analysed, failed };
}

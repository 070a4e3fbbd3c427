import { writeFingerprint } from './fingerprint.js';
import { contentWords } from './question-terms.js';
import { isCorrectable } from './spelling.js';
import { singleCharacters, stem, tokenize } from './tokenize.js';

export interface PassageText {
  readonly number: number;
  readonly title: string;
  readonly heading: string | null;
  readonly text: string;
}

/** What an index stores of a passage. */
export interface AnalysedPassage {
  readonly number: number;
  /** The stems of each field, in order and separated by spaces. */
  readonly title: string;
  readonly heading: string;
  readonly text: string;
  /** See Fingerprint. */
  readonly fingerprint: Uint8Array;
  /** Words that misspelt ones may be corrected to, each with its stem. */
  readonly spellings: (readonly [word: string, stem: string])[];
}

export function analysePassage({ number, title, heading, text }: PassageText): AnalysedPassage {
  const fields = [title, heading ?? '', text] as const;
  const tokens = fields.map(tokenize);
  const [titleStems = '', headingStems = '', textStems = ''] = fields.map((field, index) =>
    [...(tokens[index] ?? []), ...singleCharacters(field)].map(stem).join(' '),
  );
  return {
    number,
    title: titleStems,
    heading: headingStems,
    text: textStems,
    fingerprint: writeFingerprint(
      text,
      fields.map((field) => contentWords(field).map(stem)),
    ),
    spellings: [...new Set(tokens.flat())]
      .filter(isCorrectable)
      .map((word) => [word, stem(word)] as const),
  };
}

import { writeFingerprint } from './fingerprint.js';
import { tellingWords } from './question-terms.js';
import { isCorrectable } from './spelling.js';
import { singleCharacters, stem, words } from './words.js';

export interface PassageText {
  readonly number: number;
  readonly title: string;
  readonly heading: string | null;
  readonly text: string;
}

/** What an index takes in of a passage. */
export interface Analysis {
  readonly number: number;
  /** The stems of each part, in order and separated by spaces. */
  readonly title: string;
  readonly heading: string;
  readonly text: string;
  /** See Fingerprint. */
  readonly fingerprint: Uint8Array;
  /** Words that misspelt ones may be corrected to, each with its stem. */
  readonly spellings: (readonly [word: string, stem: string])[];
}

export function analyse({ number, title, heading, text }: PassageText): Analysis {
  const parts = [title, heading ?? '', text];
  const [inTitle = [], inHeading = [], inText = []] = parts.map(words);
  const stems = (some: string[], part: string | null) =>
    [...some, ...singleCharacters(part ?? '')].map(stem).join(' ');
  return {
    number,
    title: stems(inTitle, title),
    heading: stems(inHeading, heading),
    text: stems(inText, text),
    fingerprint: writeFingerprint(
      text,
      parts.map((part) => tellingWords(part).map(stem)),
    ),
    spellings: [...new Set([...inTitle, ...inHeading, ...inText])]
      .filter(isCorrectable)
      .map((word) => [word, stem(word)] as const),
  };
}

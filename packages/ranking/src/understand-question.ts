import type { AnalysedQuestion, QuestionWord } from './analyse-question.js';
import { inverseFrequency } from './bm25.js';
import { STOP_WORD_SHARE } from './bounds.js';
import type { CompoundPart } from './compounds.js';
import { foldLetters } from '@latchkey/text/fold-text';
import { JOINING_PAIR_WEIGHT } from '@latchkey/text/language/character-pairs';
import type { NearbyTerm } from './nearness.js';
import type { QuestionTerm } from './search-index.js';
import type { Correction } from './spelling.js';
import type { Term } from './term-selection.js';

/**
 * With fewer passages, words are weighted as if there were this many: the frequency of a word in three passages
 * says little about how common it is.
 */
const MIN_PASSAGES = 100;

/** A question in the terms of an index. */
export interface UnderstoodQuestion {
  /** The terms by which passages are scored. */
  readonly terms: readonly Term[];
  /** The stems of the content words in order, in each language. */
  readonly sequences: readonly (readonly string[])[];
  /** The distinct content words, with how often the question has each. */
  readonly content: readonly (QuestionTerm & NearbyTerm)[];
}

/**
 * @param frequencies the document frequency of each stem
 * @param passages how many the index has
 * @param corrections of words that the index does not have, by the folded word
 * @param compounds the parts of words that it does not have either, by the folded word
 */
export function understand(
  { words, content }: AnalysedQuestion,
  frequencies: ReadonlyMap<string, number>,
  passages: number,
  corrections: ReadonlyMap<string, Correction>,
  compounds: ReadonlyMap<string, readonly CompoundPart[]>,
): UnderstoodQuestion {
  const understood = new Map(
    words.map((word) => [word, lookUp(word, frequencies, passages, corrections)]),
  );
  const scores = (word: QuestionWord): boolean =>
    !word.isStopWord ||
    (!word.isSureStopWord && (understood.get(word)?.frequency ?? 0) < STOP_WORD_SHARE * passages);
  const scoring = content.length > 0 ? words.filter(scores) : words;
  const terms = new Map<string, Term>();
  for (const word of scoring) {
    const { stems = [], weight: rarity = 0 } = understood.get(word) ?? {};
    const weight = word.joinsWords ? rarity * JOINING_PAIR_WEIGHT : rarity;
    for (const stem of new Set(stems)) {
      const times = word.times + (terms.get(stem)?.times ?? 0);
      terms.set(stem, { stem, times, weight, frequency: frequencies.get(stem) ?? 0 });
    }
  }
  for (const { word, times } of scoring) {
    for (const { stem, frequency } of compounds.get(word) ?? []) {
      if (terms.has(stem)) continue;
      const weight = inverseFrequency(frequency, passages);
      terms.set(stem, { stem, times, weight, frequency });
    }
  }
  const languages = words[0]?.stems.length ?? 0;
  const sequences = Array.from({ length: languages }, (_, language) =>
    content.map((word) => foldLetters(understood.get(word)?.stems[language] ?? '')),
  );
  const distinct = [...new Set(content)].map((word) => {
    const { stems = [], frequency = 0 } = understood.get(word) ?? {};
    const weight = inverseFrequency(frequency, Math.max(passages, MIN_PASSAGES));
    return {
      word: word.word,
      stems: [...new Set(stems)],
      weight,
      isKnown: frequency > 0,
      mayBeName: word.mayBeName,
      times: word.times,
    };
  });
  return {
    terms: [...terms.values()],
    sequences: [...new Map(sequences.map((one) => [one.join(' '), one])).values()],
    content: distinct,
  };
}

/** The stems of a word, or of the word that it was corrected to, and of a verb with its particle; their frequency together. */
function lookUp(
  { word, stems, joined }: QuestionWord,
  frequencies: ReadonlyMap<string, number>,
  passages: number,
  corrections: ReadonlyMap<string, Correction>,
) {
  const correction = corrections.get(word);
  const found = [...(correction ? stems.map(() => correction.stem) : stems), ...joined];
  const frequency = [...new Set(found)].reduce(
    (sum, stem) => sum + (frequencies.get(stem) ?? 0),
    0,
  );
  return { stems: found, frequency, weight: inverseFrequency(frequency, passages) };
}

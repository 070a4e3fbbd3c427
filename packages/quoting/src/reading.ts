import type { FoundPassage, QuestionTerm } from '@latchkey/ranking/search-index';

/** The most words of an answer, with its citations. */
export const MAX_WORDS = 120;

/** At most this many passages are read, and this many characters of them in all. */
export const MAX_PASSAGES = 10;
export const MAX_LENGTH = 40_000;

/** A passage that can be quoted in an answer. */
export interface QuotablePassage {
  readonly text: string;
  readonly title: string;
  /** The id of its document; passages without an id count as one document. */
  readonly document?: string | undefined;
  /** Of when its document is, or when it got its content (ISO 8601); absent if unknown. */
  readonly date?: string | undefined;
  /** The date that somebody has given its document. */
  readonly givenDate?: string | undefined;
  /** The headings that it stands under. */
  readonly heading: string | null;
  /** BCP 47; null if unknown. */
  readonly language: string | null;
  /** The words of the question that are in its text, title or heading. */
  readonly matched: readonly string[];
  /** The rows of a table that it has. */
  readonly cells?: FoundPassage['cells'];
  /** The similarity of its parts to the question; absent without vectors. */
  readonly windows?: FoundPassage['windows'];
  /** The similarity of some of its units to the question (see `./choose-sentences`). */
  readonly sentences?: FoundPassage['sentences'];
}

export interface ReadingRequest {
  readonly question: string;
  /** The sentences of it that ask; detected by default. */
  readonly asked?: string | undefined;
  /** The earlier questions that it goes on from. */
  readonly context?: readonly string[] | undefined;
  /** The most words of all quotations together, with their citations. */
  readonly maxWords?: number | undefined;
  /** The words that were searched for; for a follow-up question also those of earlier questions. */
  readonly terms: readonly QuestionTerm[];
  /** Best first. */
  readonly passages: readonly QuotablePassage[];
  /** The best passages before reranking, if they were reranked; only these decide the confidence. */
  readonly original?: readonly QuotablePassage[];
}

/** Spans of one passage as a person reads them. */
export interface QuotedParagraph {
  readonly passage: number;
  readonly text: string;
}

/** A quotation from a passage. */
export interface Quote {
  /** The index of its passage. */
  readonly passage: number;
  /** Its place in the text of the passage, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** The text as it stands in the passage. */
  readonly text: string;
}

export interface Reading {
  /** The probability that what is quoted is a right answer, 0 to 1. */
  readonly confidence: number;
  /** The answer as people read it; empty if the passages do not contain it. */
  readonly paragraphs: readonly QuotedParagraph[];
  /** The number, time or cell that is asked for, where the best quotation has exactly one that fits. */
  readonly value?: Quote | undefined;
  /** The quotations that the paragraphs consist of, in the same order. */
  readonly quotes: readonly Quote[];
  /** Whether documents have different values for what is asked, though not of different years. */
  readonly conflict: boolean;
  /** The unit of each passage that comes nearest to an answer, best first; shown if there is no answer. */
  readonly nearest: readonly Quote[];
}

/** The reading of a question for which the search found no passages. */
export const NOTHING_READ: Reading = {
  confidence: 0,
  paragraphs: [],
  quotes: [],
  conflict: false,
  nearest: [],
};

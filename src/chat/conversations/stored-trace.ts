/** Whether a search for a question led to its answer, and why not. */
export type QuestionReason =
  'answered' | 'nothing_found' | 'below_min_score' | 'not_in_passages' | 'below_answer_threshold';

/** What decided an answer. */
export type AnswerReason =
  | Exclude<QuestionReason, 'answered'>
  | 'quoted'
  | 'written'
  | 'curated_answer'
  | 'document_list'
  | 'smalltalk'
  | 'declined_by_model'
  | 'repeated_instructions'
  | 'aborted'
  | 'failed';

/** A passage that a search found. The message has what of it was given to the answer, and cited. */
export interface StoredHit {
  /** As `toCitedDocument` names it. */
  readonly document: string;
  readonly chunk: string;
  readonly score: number;
  /** The share of the question that it has by its words, 0 to 1. */
  readonly words: number;
  /** The similarity of its best part to the question; null without vectors. */
  readonly meaning: number | null;
}

export interface StoredSearch {
  readonly text: string;
  /** Planned by a model that had read passages. */
  readonly planned: boolean;
  /** Null if a model was to decide. */
  readonly reason: QuestionReason | null;
  readonly confidence: number | null;
  /** Whether the time limit ended the search. */
  readonly partial: boolean;
  readonly lacksVectors: boolean;
  readonly ms: number;
  /** Best first. */
  readonly found: readonly StoredHit[];
}

/** How an answer came about: ids and numbers, no text of passages. */
export interface StoredTrace {
  readonly reason: AnswerReason;
  /** Whether the model failed, so that passages were quoted. */
  readonly fellBack: boolean;
  readonly searches: readonly StoredSearch[];
  readonly settings: {
    readonly topK: number;
    readonly minScore: number | null;
    readonly answerThreshold: number;
    readonly effort: 'low' | 'medium' | 'high' | null;
    readonly model: string;
  };
  /** Milliseconds before the first search, of all searches, and of the whole answer. */
  readonly beforeMs: number;
  readonly searchMs: number;
  readonly totalMs: number | null;
}

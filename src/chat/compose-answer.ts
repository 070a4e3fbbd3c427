import type { FoundPassage, SearchResult } from '@latchkey/ranking/search-index';
import type { Reading } from '@latchkey/quoting/reading';
import { isConfident } from '@latchkey/quoting/confidence';
import type { SingleQuestion } from '@latchkey/quoting/separate-questions';
import { EXTRACTIVE } from '../knowledge-bases/settings/models.js';
import type { SourceDto } from './conversations/source.dto.js';
import type { QuestionReason } from './conversations/stored-trace.js';
import { toRelated, toSources, withCited } from './to-source.js';

/** One question of a message, with what was found for it. */
export interface FoundQuestion extends SingleQuestion {
  readonly found: SearchResult;
  /** The answer if this question has none but another question does. */
  readonly refusalText: string;
}

/** A question with the quotations that answer it. */
export interface ReadQuestion extends FoundQuestion {
  readonly reading: Reading;
}

/** Whether a question was answered, and why not. */
export interface DecidedQuestion {
  readonly reason: QuestionReason;
  readonly confidence: number;
}

/** An answer that is complete, because no model writes it. */
export interface CompleteAnswer {
  readonly model: string;
  /** Undefined if the passages do not answer the question. */
  readonly text: string | undefined;
  /** The probability that what is quoted is right, 0 to 1; null if a model answers. */
  readonly confidence: number | null;
  /** The value with which it begins, as it stands in a passage; null if it is about something else. */
  readonly value: string | null;
  /** Whether the quoted documents contradict each other. */
  readonly conflict: boolean;
  readonly sources: SourceDto[];
  /** Whether one of several questions has no answer. */
  readonly hasOpenQuestion: boolean;
  /** Passages that may help where there is no text, or with the questions that have no answer. */
  readonly related: SourceDto[];
  /** The questions of the message, in order; none if a model was to answer. */
  readonly decided: readonly DecidedQuestion[];
}

/** Merges the passages of all questions, the best of each first, and no more than the longest list has. */
export function mergeFound(questions: readonly FoundQuestion[]): SearchResult {
  const [first, ...others] = questions.map(({ found }) => found);
  if (!first || others.length === 0) return first ?? NOTHING_FOUND;
  const all = [first, ...others];
  const limit = Math.max(...all.map(({ passages }) => passages.length));
  const ranked = interleave(all.map(({ passages }) => passages));
  const partial = all.some((found) => found.partial);
  return { ...first, partial, passages: dropDuplicates(ranked).slice(0, limit) };
}

/** Takes the first item of each list, then the second of each, and so on. */
export function interleave<T>(lists: readonly (readonly T[])[]): T[] {
  const length = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length }, (_, rank) =>
    lists.flatMap((list) => list.slice(rank, rank + 1)),
  ).flat();
}

const NOTHING_FOUND: SearchResult = { passages: [], partial: false, terms: [] };

/**
 * Answers each question of a message with its quotations. If only some have an answer, it says for the
 * others that nothing was found, and shows passages that may help.
 *
 * @param found for all of them
 * @param threshold the knowledge base's own; null for the calibrated one
 */
export function composeAnswer(
  questions: readonly ReadQuestion[],
  found: SearchResult,
  threshold: number | null,
): CompleteAnswer {
  const isAnswered = ({ reading }: ReadQuestion) =>
    reading.paragraphs.length > 0 && isConfident(reading.confidence, threshold);
  const answered = questions.filter(isAnswered);
  const cited = answered.flatMap(({ reading, found: { passages } }) =>
    reading.paragraphs.flatMap(({ passage }) => passages[passage] ?? []),
  );
  const passages =
    questions.length === 1 ? found.passages : putFirst(dropDuplicates(cited), found.passages);
  const findSourceIndex = ({ found }: FoundQuestion, passage: number) => {
    const id = found.passages[passage]?.passageId;
    return passages.findIndex(({ passageId }) => passageId === id);
  };
  const texts = questions.flatMap((question) =>
    isAnswered(question)
      ? question.reading.paragraphs.map(({ passage, text }, index) => ({
          text,
          value: index === 0 ? question.reading.value?.text : undefined,
          citation: ` [${findSourceIndex(question, passage) + 1}]`,
        }))
      : [
          {
            text: `${withoutCitations(question.asked)}\n${question.refusalText}`,
            value: undefined,
            citation: '',
          },
        ],
  );
  const quotes = answered.flatMap((question) =>
    question.reading.quotes.map((quote) => ({
      ...quote,
      passage: findSourceIndex(question, quote.passage),
    })),
  );
  // A text that answers two questions is quoted once.
  const isOnce = (text: string, index: number) =>
    !texts.some((other, at) => other.text.includes(text) && (other.text !== text || at < index));
  const text = texts
    .filter((one, index) => isOnce(one.text, index))
    .map(({ text, value, citation }) => beginWithValue(text, value) + citation)
    .join('\n\n');
  const refused = questions.filter((question) => !isAnswered(question));
  return {
    model: EXTRACTIVE,
    text: answered.length > 0 ? text : undefined,
    confidence: computeConfidence(answered, questions),
    value: (questions.length === 1 && answered[0]?.reading.value?.text) || null,
    conflict: answered.some(({ reading }) => reading.conflict),
    hasOpenQuestion: refused.length > 0 && answered.length > 0,
    sources: withCited(toSources(passages, quotes), text),
    // A model may refuse a question that could be quoted.
    related: findRelated(refused.length > 0 ? refused : questions),
    decided: questions.map((question) => ({
      reason: isAnswered(question) ? 'answered' : decideRefusal(question),
      confidence: question.reading.confidence,
    })),
  };
}

function decideRefusal({ reading, found }: ReadQuestion): QuestionReason {
  if (found.passages.length === 0) return 'nothing_found';
  return reading.paragraphs.length === 0 ? 'not_in_passages' : 'below_answer_threshold';
}

/** Several answers are right only if each is; of several questions without an answer the nearest counts. */
function computeConfidence(
  answered: readonly ReadQuestion[],
  questions: readonly ReadQuestion[],
): number {
  const toConfidence = ({ reading }: ReadQuestion) => reading.confidence;
  return answered.length > 0
    ? Math.min(...answered.map(toConfidence))
    : Math.max(0, ...questions.map(toConfidence));
}

/** What continues a number or a word: "5" is not the value that "50 guests" begins with. */
const CONTINUED =
  /^(?:[.,:]?\p{Nd}|(?![\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hangul}\p{scx=Thai}])\p{L})/u;

const beginWithValue = (text: string, value: string | undefined): string =>
  value === undefined || (text.startsWith(value) && !CONTINUED.test(text.slice(value.length)))
    ? text
    : `${value}\n${text}`;

/** Finds passages that may help with unanswered questions, in turn for each question. */
function findRelated(questions: readonly ReadQuestion[]): SourceDto[] {
  const passages = dropDuplicates(questions.flatMap(({ found }) => found.passages));
  const nearest = questions.map(({ reading, found }) =>
    reading.nearest.map((quote) => {
      const id = found.passages[quote.passage]?.passageId;
      return { ...quote, passage: passages.findIndex(({ passageId }) => passageId === id) };
    }),
  );
  return toRelated(passages, interleave(nearest));
}

/** Puts the cited passages first, and keeps the number of passages. */
const putFirst = (cited: readonly FoundPassage[], passages: readonly FoundPassage[]) =>
  dropDuplicates([...cited, ...passages]).slice(0, Math.max(passages.length, cited.length));

export const dropDuplicates = (passages: readonly FoundPassage[]): FoundPassage[] => [
  ...new Map(passages.map((passage) => [passage.passageId, passage])).values(),
];

/** A `[1]` in the message would look like a citation in the answer. */
const withoutCitations = (asked: string): string => asked.replace(/\[[\d\s,]{1,40}\]/g, '');

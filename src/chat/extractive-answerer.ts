import { Injectable, OnApplicationShutdown } from '@nestjs/common';
import {
  MAX_WORDS,
  NOTHING_READ,
  type QuotablePassage,
  type Reading,
  type ReadingRequest,
} from '@latchkey/quoting/reading';
import type { FoundPassage, SearchResult } from '@latchkey/ranking/search-index';
import type { Window } from '@latchkey/embeddings/windows';
import { SentenceVectors } from '../documents/search/sentence-vectors.js';
import { FairLimiter, QUESTION_LIMITS } from '../knowledge-bases/fair-limiter.js';
import type { Settings } from '../knowledge-bases/settings/settings.js';
import { FairShareLookup } from '../knowledge-bases/fair-share-lookup.js';
import { type Cancellable, runCancellable } from '../platform/jobs/cancellation.js';
import { unwrapResult, type WorkerAnswer } from '../platform/jobs/worker-answer.js';
import { QUESTION_START_WAIT_MS, WorkerPool } from '../platform/jobs/worker-pool.js';
import { type CompleteAnswer, composeAnswer, type FoundQuestion } from './compose-answer.js';

/** One user gets at most one of the threads; the second one starts if two users ask at once. */
const THREADS = 2;

/** A message with the passages that were found for it. */
export interface FoundMessage {
  readonly kbId: string;
  /** The whole message. */
  readonly message: string;
  /** The questions in the message. */
  readonly questions: readonly FoundQuestion[];
  /** The passages found for all questions. */
  readonly found: SearchResult;
  readonly settings: Settings;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

/**
 * Answers by quoting passages. They are read in a worker thread, because a maliciously slow text takes about
 * 100 ms. Users are served in turns, as in searching.
 */
@Injectable()
export class ExtractiveAnswerer implements OnApplicationShutdown {
  private readonly threads = new WorkerPool(new URL('./extractive.worker.js', import.meta.url), {
    maxThreads: THREADS,
    idleTimeout: Infinity,
    maxStartWaitMs: QUESTION_START_WAIT_MS,
    part: 'Search',
  });
  private readonly limiter = new FairLimiter(THREADS, QUESTION_LIMITS);

  constructor(
    private readonly fairShares: FairShareLookup,
    private readonly sentences: SentenceVectors,
  ) {}

  async answer(asked: FoundMessage): Promise<CompleteAnswer> {
    const { kbId, message: question, found, settings, signal } = asked;
    const questions = [];
    const maxWords = Math.floor(MAX_WORDS / asked.questions.length);
    for (const one of asked.questions) {
      const message = { question, asked: one.asked, context: one.context, maxWords };
      const withSentences = await this.compareSentences(kbId, one.found, signal);
      const reading = await this.read(kbId, message, withSentences, signal);
      questions.push({ ...one, reading });
    }
    return composeAnswer(questions, found, settings.answerThreshold);
  }

  /**
   * @param signal aborted when the client disconnects
   * @returns how relevant the passages are to the question, and the sentences that answer it
   * @throws Problem `knowledge_base_busy` when too many questions of the user or the knowledge base wait
   */
  async read(
    kbId: string,
    message: Pick<ReadingRequest, 'question' | 'asked' | 'context' | 'maxWords'>,
    { passages, original, terms }: SearchResult,
    signal: AbortSignal | undefined,
  ): Promise<Reading> {
    if (passages.length === 0) return NOTHING_READ;
    const request = {
      ...message,
      terms,
      passages: passages.map(toText),
      ...(original && { original: original.map(toText) }),
    };
    return this.run(kbId, signal, 'default', (cancelled): Cancellable<ReadingRequest> => ({
      ...request,
      cancelled,
    }));
  }

  /**
   * Adds how near the best sentences are to the question. They are ignored if a passage has no vectors yet, so
   * none are embedded then.
   */
  private async compareSentences(
    kbId: string,
    found: SearchResult,
    signal: AbortSignal,
  ): Promise<SearchResult> {
    const { passages, original, embedding } = found;
    const read = [...passages, ...(original ?? [])];
    const all = [...new Map(read.map((passage) => [passage.passageId, passage])).values()];
    const hasWindows = all.length > 0 && all.every(({ windows }) => windows);
    if (!hasWindows || !this.sentences.canCompare(embedding)) return found;
    const texts = all.map(toText);
    const chosen = await this.run<Window[][]>(kbId, signal, 'chooseSentences', () => texts);
    const sentences = all.map(({ passageId }, index) => ({
      passageId,
      sentences: chosen[index] ?? [],
    }));
    const compared = await this.sentences.compare(kbId, embedding, sentences, signal);
    const add = (passage: FoundPassage): FoundPassage => {
      const own = compared.get(passage.passageId);
      return own ? { ...passage, sentences: own } : passage;
    };
    return {
      ...found,
      passages: passages.map(add),
      ...(original && { original: original.map(add) }),
    };
  }

  /** Runs a task of the thread in the user's turn. */
  private async run<Result>(
    kbId: string,
    signal: AbortSignal | undefined,
    name: string,
    createTask: (cancelled: Int32Array) => unknown,
  ): Promise<Result> {
    return this.limiter.run(await this.fairShares.findFairShare(kbId), signal, () =>
      runCancellable(signal, async (cancelled) => {
        const answer = await this.threads.run(createTask(cancelled), { name });
        return unwrapResult(answer as WorkerAnswer<Result>);
      }),
    );
  }

  async onApplicationShutdown(): Promise<void> {
    await this.threads.destroy();
  }
}

const toText = (passage: FoundPassage): QuotablePassage => ({
  text: passage.text,
  title: passage.documentTitle,
  document: passage.documentId,
  date: passage.date?.value ?? passage.contentDate,
  givenDate: passage.date?.from === 'given' ? passage.date.value : undefined,
  heading: passage.heading,
  language: passage.language,
  matched: passage.matched.map(({ word }) => word),
  cells: passage.cells,
  ...(passage.windows && { windows: passage.windows }),
  ...(passage.sentences && { sentences: passage.sentences }),
});

import { Logger } from '@nestjs/common';
import { findAskedSentences } from '@latchkey/text/asked-sentences';
import type { FoundPassage, SearchResult } from '@latchkey/ranking/search-index';
import type { StepDto } from './answer.dto.js';
import type { AnswerGenerator, PlanRequest } from './answer-generator.js';
import { dropDuplicates, interleave } from './compose-answer.js';
import type { TokenUsage } from './conversations/exchange.js';
import { Problem } from '../platform/problems/problem.js';
import { estimateTokens } from './estimate-tokens.js';
import { MAX_PLAN_LENGTH, readPlan } from './plan-prompt.js';
import type { TokenTally } from './token-tally.js';

/** How many tokens of passages a round may add, about; its last passage may be longer. */
const ROUND_TOKENS = 3000;
/** The share of an answer's time after which no round begins, so that the answer can still be written. */
const TIME_SHARE = 0.5;

/** Searches as the question was searched for: in the same knowledge bases, scopes, filter and settings. */
export type Search = (text: string, asked: string, signal: AbortSignal) => Promise<SearchResult>;

/** How long an answer may take. */
export interface TimeLimit {
  readonly wholeMs: number;
  /** As `performance.now()` has it. */
  readonly deadline: number;
}

/**
 * Searches again for what the passages do not hold, in rounds: in each, the model plans what to search for. What was
 * found is never dropped, because the model has been told of it.
 */
export class FurtherSearch {
  private readonly logger = new Logger(FurtherSearch.name);
  private roundsLeft: number;
  private readonly searched: string[];
  /** The passages of each search, best first, each in one of them. */
  private readonly lists: FoundPassage[][];
  /** Whether one of its searches reached its time limit. */
  isPartial = false;

  constructor(
    private readonly generator: AnswerGenerator,
    private readonly search: Search,
    private readonly first: SearchResult,
    private readonly request: Omit<PlanRequest, 'passages' | 'searched'>,
    private readonly rounds: number,
    searched: readonly string[],
  ) {
    this.roundsLeft = rounds;
    this.searched = [...searched];
    this.lists = [first.passages];
  }

  /** All passages found, the best of each search first. */
  get found(): SearchResult {
    return { ...this.first, passages: dropDuplicates(interleave(this.lists)) };
  }

  /** Adds the most tokens of all rounds, and of the passages that they add to the prompts. */
  addExpected(answer: TokenUsage): TokenUsage {
    const { rounds } = this;
    const { promptTokens, completionTokens } = this.plan().expected;
    const added = (ROUND_TOKENS * rounds * (rounds + 1)) / 2;
    return {
      promptTokens: answer.promptTokens + rounds * promptTokens + added,
      completionTokens: answer.completionTokens + rounds * completionTokens,
    };
  }

  /** Whether another round may begin. */
  mayContinue({ wholeMs, deadline }: TimeLimit): boolean {
    return this.roundsLeft > 0 && deadline - performance.now() > (1 - TIME_SHARE) * wholeMs;
  }

  /**
   * Does one round. It is the last one if the model finds nothing missing, or replies without a plan. If the
   * model or a search fails, the answer is made of what was found before.
   *
   * @throws the reason of the signal
   */
  async searchAgain(tally: TokenTally, signal: AbortSignal, time: TimeLimit): Promise<StepDto> {
    this.roundsLeft--;
    try {
      return await this.searchForMissing(tally, signal, time);
    } catch (error) {
      if (signal.aborted) throw error;
      if (!(error instanceof Problem)) this.logger.error(error);
      this.roundsLeft = 0;
      this.isPartial = true;
      return { searches: [], passages: 0 };
    }
  }

  private async searchForMissing(
    tally: TokenTally,
    signal: AbortSignal,
    { wholeMs, deadline }: TimeLimit,
  ): Promise<StepDto> {
    const plan = this.plan();
    let reply = '';
    try {
      // The rest of the time is for the answer.
      const latest = deadline - (1 - TIME_SHARE) * wholeMs;
      for await (const piece of tally.count(plan, signal, latest)) {
        if (typeof piece === 'string') reply += piece;
        if (reply.length > MAX_PLAN_LENGTH) break;
      }
    } catch (error) {
      // What the model wrote until the client left counts.
      if (!signal.aborted) tally.dropLast();
      throw error;
    }
    const searches = readPlan(reply, this.searched);
    if (searches.length === 0) this.roundsLeft = 0;
    const lists: FoundPassage[][] = [];
    for (const text of searches) {
      const { passages, partial } = await this.search(text, findAskedSentences(text), signal);
      lists.push(passages);
      this.isPartial ||= partial;
    }
    this.searched.push(...searches);
    return { searches, passages: this.add(lists) };
  }

  private plan() {
    const { request, found, searched } = this;
    return this.generator.plan({ ...request, passages: found.passages, searched });
  }

  /** @returns how many passages are new */
  private add(lists: readonly FoundPassage[][]): number {
    const known = new Set(this.lists.flat().map(({ passageId }) => passageId));
    const added = new Set<FoundPassage>();
    let tokens = 0;
    for (const passage of interleave(lists)) {
      if (tokens >= ROUND_TOKENS) break;
      if (known.has(passage.passageId)) continue;
      known.add(passage.passageId);
      added.add(passage);
      tokens += estimateTokens(passage.text);
    }
    this.lists.push(...lists.map((list) => list.filter((passage) => added.has(passage))));
    return added.size;
  }
}

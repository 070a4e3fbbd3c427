import type { StepDto } from './answer.dto.js';
import { type Asker, type AnswerWatch, toWatched, type WatchedAnswer } from './answer-watch.js';
import type { Outcome } from './conversations/exchange.js';
import type { PendingAnswer } from './model-answerer.js';
import type { TokenTally } from './token-tally.js';

interface Begun {
  readonly asker: Asker;
  readonly answer: PendingAnswer;
  readonly outcome: Outcome;
  readonly clientSignal: AbortSignal;
}

/** The answer that is being written: it changes as more passages are found, and so does what is watched. */
export class CurrentAnswer {
  answer: PendingAnswer;
  /** With the sources of the answer. */
  outcome: Outcome;
  watched: WatchedAnswer;
  /** Aborted when the client disconnects or the question would be refused; see AnswerWatch. */
  signal: AbortSignal;
  private watch: ReturnType<AnswerWatch['watch']>;

  constructor(
    private readonly answerWatch: AnswerWatch,
    private readonly begun: Begun,
  ) {
    ({ answer: this.answer, outcome: this.outcome } = begun);
    this.watched = toWatched(begun.asker, begun.outcome);
    this.watch = answerWatch.watch(this.watched);
    this.signal = AbortSignal.any([begun.clientSignal, this.watch.signal]);
  }

  /** @throws Problem that a new request would get */
  require(): Promise<void> {
    return this.watch.require();
  }

  stop(): void {
    this.watch.stop();
  }

  /**
   * Searches further, if the request asks for it.
   *
   * @param deadline when the answer must be complete, as `performance.now()` has it
   */
  async *searchFurther(tally: TokenTally, deadline: number): AsyncGenerator<StepDto> {
    const { further, wholeMs } = this.answer;
    while (further?.mayContinue({ wholeMs, deadline })) {
      const step = await further.searchAgain(tally, this.signal, { wholeMs, deadline });
      if (step.passages > 0) await this.replace(await this.answer.withFound(further.found));
      yield step;
    }
  }

  /** The model is told of no passage before its document is watched. */
  private async replace(answer: PendingAnswer): Promise<void> {
    this.answer = answer;
    this.outcome = { ...this.outcome, sources: answer.sources };
    this.watched = toWatched(this.begun.asker, this.outcome);
    this.watch.stop();
    this.watch = this.answerWatch.watch(this.watched);
    this.signal = AbortSignal.any([this.begun.clientSignal, this.watch.signal]);
    await this.watch.require();
  }
}

/** Limits how long a provider may be silent, and how long the whole answer may take. */
export class AnswerTimeouts {
  private readonly controller = new AbortController();
  private readonly wholeTimer: NodeJS.Timeout;

  constructor(
    private readonly silenceMs: number,
    wholeMs: number,
  ) {
    this.wholeTimer = this.abortAfter(wholeMs, `gave no whole answer within ${wholeMs} ms`);
  }

  /** Aborted when a limit is exceeded; the reason's message says which. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Limits one wait for the provider. The time that a slow client takes to read is not counted. */
  async limit<T>(waiting: Promise<T>): Promise<T> {
    const timer = this.abortAfter(this.silenceMs, `was silent for ${this.silenceMs} ms`);
    try {
      return await waiting;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Ends the timers, and the request if it is still running. */
  end(): void {
    clearTimeout(this.wholeTimer);
    this.controller.abort();
  }

  private abortAfter(ms: number, message: string): NodeJS.Timeout {
    return setTimeout(() => {
      this.controller.abort(new Error(message));
    }, ms);
  }
}

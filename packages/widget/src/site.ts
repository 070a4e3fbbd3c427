import { type Answer, pare, type Rating, type Turn } from './answer.js';
import { Memory, type Visit } from './memory.js';
import { readEvents } from './read-events.js';
import { NotFoundError, send, SiteError, TokenError } from './send.js';
import { type Challenge, solve } from './solve.js';
import type { Theme } from './theme.js';

export interface SiteView {
  readonly name: string;
  readonly greeting: string | null;
  readonly suggestions: readonly string[];
  readonly theme: Theme;
  readonly contact_url: string | null;
  readonly state: 'active' | 'paused';
}

/** A token is renewed if it ends sooner. */
const MARGIN_MS = 30_000;

/** A site as its visitors use it: one visit, one conversation. */
export class Site {
  readonly memory: Memory;
  private readonly base: string;
  private renewing: Promise<string> | undefined;

  /** @param service the address of the service */
  constructor(
    service: string,
    private readonly id: string,
  ) {
    this.base = `${service.replace(/\/+$/, '')}/api/v1`;
    this.memory = new Memory(id);
  }

  async view(): Promise<SiteView> {
    return (await (await send(this.addressOf('view'))).json()) as SiteView;
  }

  /**
   * Asks a question, and continues the conversation.
   *
   * @param write called with each part of the answer
   * @param signal ends the wait
   * @throws SiteError
   */
  async ask(question: string, write: (text: string) => void, signal: AbortSignal): Promise<Turn> {
    const response = await this.withToken((token) => this.beginAnswer(question, token, signal));
    const answer = await readAnswer(response, write);
    const turn = { question, answer: pare(answer) };
    if (signal.aborted) throw new SiteError('failed');
    this.memory.change({ conversationId: answer.conversation_id });
    this.memory.keep(turn);
    return turn;
  }

  async rate(turn: Turn, rating: Rating): Promise<void> {
    const address = `${this.base}/messages/${encodeURIComponent(turn.answer.message_id)}/feedback`;
    await this.withToken((token) => send(address, { body: { rating }, token }));
    this.memory.keep({ ...turn, rating });
  }

  private async beginAnswer(
    message: string,
    token: string,
    signal: AbortSignal,
  ): Promise<Response> {
    const { conversationId } = this.memory.now;
    const ask = (more: object) =>
      send(`${this.base}/chat`, { body: { message, stream: true, ...more }, token, signal });
    if (conversationId === undefined) return ask({});
    return ask({ conversation_id: conversationId }).catch((error: unknown) => {
      if (!(error instanceof NotFoundError)) throw error;
      // The conversation was erased meanwhile: this question begins another one.
      return ask({});
    });
  }

  /** Repeats a request whose token has ended on the way, such as by a clock that is wrong. */
  private async withToken<T>(request: (token: string) => Promise<T>): Promise<T> {
    const { visit } = this.memory.now;
    const isFresh = visit && Date.parse(visit.expires_at) - MARGIN_MS > Date.now();
    const token = isFresh ? visit.client_token : await this.renew();
    return request(token).catch(async (error: unknown) => {
      if (!(error instanceof TokenError)) throw error;
      return request(await this.renew());
    });
  }

  /** Two requests at once begin one visit. */
  private renew(): Promise<string> {
    this.renewing ??= this.beginVisit().finally(() => (this.renewing = undefined));
    return this.renewing;
  }

  /** Begins a visit, or goes on with the former one, whose conversations stay the visitor's. */
  private async beginVisit(): Promise<string> {
    const response = await send(this.addressOf('challenge'));
    const challenge = (await response.json()) as Challenge;
    const altcha = challenge.maxnumber > 1 ? await solve(challenge) : undefined;
    const former = this.memory.now.visit?.client_token;
    const body = {
      ...(altcha !== undefined && { altcha }),
      ...(former !== undefined && { client_token: former }),
    };
    const visit = (await (await send(this.addressOf('visitors'), { body })).json()) as Visit;
    this.memory.change({ visit });
    return visit.client_token;
  }

  private addressOf(operation: string): string {
    return `${this.base}/sites/${encodeURIComponent(this.id)}/${operation}`;
  }
}

/** @throws SiteError `cutOff` if the answer ends early */
async function readAnswer(response: Response, write: (text: string) => void): Promise<Answer> {
  try {
    for await (const { event, data } of readEvents(response)) {
      if (event === 'delta') write((data as { text: string }).text);
      if (event === 'message_end') return data as Answer;
      if (event === 'error') break;
    }
  } catch {
    // The connection was lost.
  }
  throw new SiteError('cutOff');
}

import { type Challenge, solve } from './solve.js';

export interface SiteView {
  readonly name: string;
  readonly greeting: string | null;
  readonly suggestions: readonly string[];
  readonly theme: {
    readonly accent?: string;
    readonly position?: 'left' | 'right';
    readonly color_scheme?: 'auto' | 'light' | 'dark';
  };
  readonly contact_url: string | null;
  readonly state: 'active' | 'paused';
}

export interface Source {
  readonly index: number;
  readonly document_title: string;
  readonly heading: string | null;
  readonly source_url: string | null;
  readonly page: number | null;
  readonly snippet: string;
  readonly cited?: boolean;
}

export interface Answer {
  readonly answer: string;
  readonly answered: boolean;
  readonly sources: readonly Source[];
  readonly conversation_id: string;
  readonly message_id: string;
}

/** Why a question has no answer. */
export type Failure = 'paused' | 'spent' | 'too fast' | 'forbidden' | 'failed';

export class SiteError extends Error {
  constructor(readonly failure: Failure) {
    super(`The site does not answer: ${failure}`);
  }
}

interface Visit {
  readonly client_token: string;
  readonly expires_at: string;
}

/** What is remembered while the tab is open, from the first question on. */
interface Remembered {
  visit?: Visit;
  conversationId?: string;
}

/** A token is renewed if it ends sooner. */
const MARGIN_MS = 30_000;

/** A site as its visitors use it: one visit, one conversation. */
export class Site {
  private readonly base: string;
  private readonly storageKey: string;
  private remembered: Remembered;

  /** @param service the address of the service */
  constructor(
    service: string,
    private readonly id: string,
  ) {
    this.base = `${service.replace(/\/$/, '')}/api/v1`;
    this.storageKey = `latchkey ${id}`;
    this.remembered = this.recall();
  }

  /** Whether the visitor has asked before in this tab. */
  get isBegun(): boolean {
    return this.remembered.conversationId !== undefined;
  }

  async view(): Promise<SiteView> {
    return (await this.request('GET', 'view')) as SiteView;
  }

  /**
   * Asks a question, and continues the conversation.
   *
   * @param write called with each part of the answer
   * @throws SiteError
   */
  async ask(message: string, write: (text: string) => void): Promise<Answer> {
    const answer = await this.askOnce(message, write).catch((error: unknown) => {
      // The visit has ended on the way, such as in a tab that slept.
      if (!(error instanceof Expired)) throw error;
      delete this.remembered.visit;
      return this.askOnce(message, write);
    });
    this.remembered.conversationId = answer.conversation_id;
    this.remember();
    return answer;
  }

  async rate(messageId: string, rating: 'up' | 'down'): Promise<void> {
    await this.post('feedback', { message_id: messageId, rating }, await this.token());
  }

  private async askOnce(message: string, write: (text: string) => void): Promise<Answer> {
    const { conversationId } = this.remembered;
    const body = {
      ...{ message, stream: true },
      ...(conversationId !== undefined && { conversation_id: conversationId }),
    };
    const response = await this.post('chat', body, await this.token()).catch((error: unknown) => {
      if (!(error instanceof Unknown) || conversationId === undefined) throw error;
      // The conversation was erased meanwhile: this question begins another one.
      delete this.remembered.conversationId;
      return undefined;
    });
    if (!response) return this.askOnce(message, write);
    let answer: Answer | undefined;
    for await (const { event, data } of readEvents(response)) {
      if (event === 'delta') write((data as { text: string }).text);
      if (event === 'message_end') answer = data as Answer;
      if (event === 'error') throw new SiteError('failed');
    }
    if (!answer) throw new SiteError('failed');
    return answer;
  }

  /** A token that is valid for a while. */
  private async token(): Promise<string> {
    const { visit } = this.remembered;
    if (visit && Date.parse(visit.expires_at) - MARGIN_MS > Date.now()) return visit.client_token;
    const challenge = (await this.request('GET', 'challenge')) as Challenge;
    const altcha = challenge.maxnumber > 1 ? await solve(challenge) : undefined;
    const next = (await this.request('POST', 'visitors', {
      ...(altcha !== undefined && { altcha }),
      ...(visit && { client_token: visit.client_token }),
    })) as Visit;
    this.remembered.visit = next;
    this.remember();
    return next.client_token;
  }

  private async request(method: string, path: string, body?: object): Promise<unknown> {
    const response = await send(`${this.base}/sites/${this.id}/${path}`, {
      method,
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    return response.json();
  }

  private post(path: string, body: object, token: string): Promise<Response> {
    return send(`${this.base}/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
  }

  private recall(): Remembered {
    try {
      return JSON.parse(sessionStorage.getItem(this.storageKey) ?? '{}') as Remembered;
    } catch {
      // Pages can be without storage.
      return {};
    }
  }

  private remember(): void {
    try {
      sessionStorage.setItem(this.storageKey, JSON.stringify(this.remembered));
    } catch {
      // Then it is remembered until the page is left.
    }
  }
}

class Expired extends Error {}
class Unknown extends Error {}

const FAILURES: Readonly<Record<string, Failure>> = {
  site_paused: 'paused',
  budget_reached: 'spent',
  daily_limit_reached: 'spent',
  rate_limited: 'too fast',
  origin_not_allowed: 'forbidden',
};

async function send(url: string, options: RequestInit): Promise<Response> {
  const response = await fetch(url, { ...options, credentials: 'omit', cache: 'no-store' }).catch(
    () => {
      throw new SiteError('failed');
    },
  );
  if (response.ok) return response;
  const { code = '' } = (await response.json().catch(() => ({}))) as { code?: string };
  if (code === 'client_token_expired' || code === 'invalid_api_key') throw new Expired();
  if (response.status === 404) throw new Unknown();
  throw new SiteError(FAILURES[code] ?? 'failed');
}

/** Reads server-sent events. */
async function* readEvents(response: Response): AsyncGenerator<{ event: string; data: unknown }> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (!reader) return;
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    rest += value;
    const blocks = rest.split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const field = (name: string) =>
        block
          .split('\n')
          .filter((line) => line.startsWith(`${name}: `))
          .map((line) => line.slice(name.length + 2))
          .join('\n');
      const [event, data] = [field('event'), field('data')];
      if (event !== '' && data !== '') yield { event, data: JSON.parse(data) as unknown };
    }
  }
}

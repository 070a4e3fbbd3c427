import { fetchWithRetry } from './fetch-with-retry.js';
import { serverSentEvents } from './server-sent-events.js';

/** What this program uses of the answers; `/openapi.json` of the service describes all of it. */
export interface Answer {
  conversation_id: string;
  message_id: string;
  answer: string;
  /** False where the documents say nothing of it; `answer` then says so. */
  answered: boolean;
  sources: Source[];
}

export interface Source {
  /** As `[1]` in the answer. */
  index: number;
  document_title: string;
  source_url: string | null;
  page: number | null;
  snippet: string;
}

interface Problem {
  code: string;
  detail: string;
  request_id: string;
}

/** A refusal. Programs switch on `code`, which never changes; people get `message`. */
export class LatchkeyError extends Error {
  readonly code: string;
  /** Quote it when you ask the service's operator for help. */
  readonly requestId: string | undefined;

  constructor({ code, detail, request_id }: Partial<Problem>, options?: ErrorOptions) {
    super(detail ?? 'The service gave no reason.', options);
    this.code = code ?? 'unknown';
    this.requestId = request_id;
  }
}

/** The questions that a backend asks, with its key. */
export class LatchkeyClient {
  private readonly url: string;

  constructor(
    url: string,
    private readonly apiKey: string,
  ) {
    this.url = url.replace(/\/+$/, '');
  }

  /** @param endUserId groups the conversations of one of your users; grants nothing */
  async ask(message: string, endUserId?: string): Promise<Answer> {
    const response = await this.post('/api/v1/chat', { message, end_user_id: endUserId ?? null });
    return (await jsonOf(response)) as Answer;
  }

  /** The same, given to `onText` word by word. */
  async askStreaming(message: string, onText: (text: string) => void): Promise<Answer> {
    const response = await this.post('/api/v1/chat', { message, stream: true });
    for await (const { event, data } of serverSentEvents(response)) {
      if (event === 'delta') onText((JSON.parse(data) as { text: string }).text);
      if (event === 'message_end') return JSON.parse(data) as Answer;
      // Once the stream has begun a refusal is an event, and the text so far is no answer.
      if (event === 'error') throw new LatchkeyError(JSON.parse(data) as Problem);
    }
    throw new LatchkeyError({ code: 'cut_off', detail: 'The stream ended before its last event.' });
  }

  private async post(path: string, body: object): Promise<Response> {
    const response = await fetchWithRetry(this.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ api_key: this.apiKey, ...body }),
    }).catch((error: unknown) => {
      // fetch itself says only "fetch failed".
      const { code } = ((error as Error).cause ?? error) as { code?: string };
      const detail = `Nothing answers at ${this.url} (${code ?? 'no reason given'}).`;
      throw new LatchkeyError({ code: 'unreachable', detail }, { cause: error });
    });
    if (response.ok) return response;
    throw new LatchkeyError((await jsonOf(response)) as Problem);
  }
}

/** What a proxy in front of the service answers by itself is no JSON. */
async function jsonOf(response: Response): Promise<unknown> {
  return response.json().catch((error: unknown) => {
    const detail = `Something other than Latchkey has answered, with status ${response.status}.`;
    throw new LatchkeyError({ detail }, { cause: error });
  });
}

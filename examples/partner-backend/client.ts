import { fetchWithRetry } from './fetch-with-retry.js';
import { serverSentEvents } from './server-sent-events.js';

/** The fields that this program uses; `/openapi.json` of the service describes all of them. */
export interface Answer {
  conversation_id: string;
  message_id: string;
  answer: string;
  /** False if the documents do not answer the question; `answer` then says so. */
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

/** An error of the service. `code` never changes and is for programs, `message` is for people. */
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

/** Asks questions with an API key. */
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
      // In a stream an error is an event, and the text so far is no answer.
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
      // The message of fetch is only "fetch failed"; the cause has a code.
      const { code } = ((error as Error).cause ?? error) as { code?: string };
      const detail = `Nothing answers at ${this.url} (${code ?? 'no reason given'}).`;
      throw new LatchkeyError({ code: 'unreachable', detail }, { cause: error });
    });
    if (response.ok) return response;
    throw new LatchkeyError((await jsonOf(response)) as Problem);
  }
}

/** A proxy in front of the service may answer by itself, and not in JSON. */
async function jsonOf(response: Response): Promise<unknown> {
  return response.json().catch((error: unknown) => {
    const detail = `Something other than Latchkey has answered, with status ${response.status}.`;
    throw new LatchkeyError({ detail }, { cause: error });
  });
}

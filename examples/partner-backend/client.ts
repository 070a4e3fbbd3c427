import { EventSourceParserStream } from 'eventsource-parser/stream';
import createClient from 'openapi-fetch';
import type { components, paths } from './latchkey.js';
import { patientFetch } from './patient-fetch.js';

export type Answer = components['schemas']['ChatAnswerDto'];
/** A later version of the service may know codes that this client does not. */
type Problem = Omit<components['schemas']['ProblemDto'], 'code'> & { code: string };

/** A refusal. Programs switch on `code`, which never changes; people get `message`. */
export class LatchkeyError extends Error {
  readonly code: string;
  /** Quote it when you ask the service's operator for help. */
  readonly requestId: string | undefined;

  constructor(problem: Partial<Problem>) {
    super(problem.detail ?? 'The service gave no reason.');
    this.code = problem.code ?? 'unknown';
    this.requestId = problem.request_id;
  }
}

/** The questions that a backend asks, with its key. */
export class LatchkeyClient {
  private readonly api;

  constructor(
    private readonly url: string,
    private readonly apiKey: string,
  ) {
    this.api = createClient<paths>({ baseUrl: url, fetch: patientFetch });
  }

  /** @param endUserId groups the conversations of one of your users; grants nothing */
  async ask(message: string, endUserId?: string): Promise<Answer> {
    const { data, error } = await this.api.POST('/api/v1/chat', {
      body: { api_key: this.apiKey, message, end_user_id: endUserId ?? null },
    });
    if (data === undefined) throw new LatchkeyError(error ?? {});
    // Without `stream` it is never text.
    return data as Answer;
  }

  /** The same, told word by word to `onText`. */
  async askStreaming(message: string, onText: (text: string) => void): Promise<Answer> {
    const request = new Request(new URL('/api/v1/chat', this.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ api_key: this.apiKey, message, stream: true }),
    });
    const response = await patientFetch(request);
    // Before the stream begins, a refusal is an ordinary answer.
    if (!response.ok) throw new LatchkeyError((await response.json()) as Problem);
    const events = response.body
      ?.pipeThrough(new TextDecoderStream())
      .pipeThrough(new EventSourceParserStream());
    for await (const { event, data } of events ?? []) {
      const told = JSON.parse(data) as { text: string } & Answer & Problem;
      if (event === 'delta') onText(told.text);
      if (event === 'message_end') return told;
      // From then on it is an event, and what was told so far is no answer.
      if (event === 'error') throw new LatchkeyError(told);
    }
    throw new LatchkeyError({ code: 'cut_off', detail: 'The answer ended before its end.' });
  }
}

import { createParser, type EventSourceMessage } from 'eventsource-parser';
import type { AnswerSource, ChatAnswer, Problem } from './client.js';
import type { Service } from './service.js';

/** The answer to a /chat with `stream`, read as it comes. */
export class ChatStream {
  readonly events: { event: string; data: unknown }[] = [];
  readonly comments: string[] = [];
  private readonly reading: Promise<void>;

  private constructor(
    readonly response: Response,
    private readonly controller: AbortController,
  ) {
    this.reading = this.read().catch((error: unknown) => {
      if (!controller.signal.aborted) throw error;
    });
    // A test that does not wait for the end has no interest in it.
    this.reading.catch(() => undefined);
  }

  static async open(
    service: Pick<Service, 'url'>,
    body: object,
    headers: Record<string, string> = {},
    path = '/chat',
  ): Promise<ChatStream> {
    const controller = new AbortController();
    const response = await fetch(`${service.url}/api/v1${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ ...body, stream: true }),
      signal: controller.signal,
    });
    return new ChatStream(response, controller);
  }

  /** Waits for the end. */
  async done(): Promise<this> {
    await this.reading;
    return this;
  }

  /** Hangs up. */
  leave(): void {
    this.controller.abort();
  }

  get names(): string[] {
    return this.events.map(({ event }) => event);
  }

  get text(): string {
    return this.of<{ text: string }>('delta')
      .map(({ text }) => text)
      .join('');
  }

  get start(): { conversation_id: string; message_id: string } | undefined {
    return this.of<{ conversation_id: string; message_id: string }>('message_start')[0];
  }

  get sources(): AnswerSource[] | undefined {
    return this.of<{ sources: AnswerSource[] }>('sources')[0]?.sources;
  }

  get related(): AnswerSource[] | undefined {
    return this.of<{ related: AnswerSource[] }>('related')[0]?.related;
  }

  get end(): ChatAnswer | undefined {
    return this.of<ChatAnswer>('message_end')[0];
  }

  get error(): Problem | undefined {
    return this.of<Problem>('error')[0];
  }

  private of<T>(name: string): T[] {
    return this.events.filter(({ event }) => event === name).map(({ data }) => data as T);
  }

  private async read(): Promise<void> {
    const parser = createParser({
      onEvent: ({ event = '', data }: EventSourceMessage) => {
        this.events.push({ event, data: JSON.parse(data) });
      },
      onComment: (comment) => {
        this.comments.push(comment);
      },
      onError: (error) => {
        throw error;
      },
    });
    const decoder = new TextDecoder();
    for await (const bytes of this.response.body ?? []) {
      parser.feed(decoder.decode(bytes as Uint8Array, { stream: true }));
    }
  }
}

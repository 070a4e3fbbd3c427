import { ChatStream } from './chat-stream.js';
import { type ChatAnswer, Client, type QueryAnswer } from './client.js';
import type { Service } from './service.js';

interface Row {
  readonly document_id: string;
}

/** An answer, or what of one leads to documents: its text and its sources. */
export interface Told {
  readonly text: string;
  readonly sources: readonly Row[];
}

/** The documents that rows are of, each once. */
export const documentsOf = (rows: readonly Row[]): string[] =>
  [...new Set(rows.map(({ document_id: id }) => id))].sort();

/** Asks one thing by every way that a credential opens. */
export class Doors {
  private readonly headers: Record<string, string>;
  private readonly client: Client;

  constructor(
    private readonly service: Pick<Service, 'url'>,
    private readonly kbId: string,
    secret: string,
  ) {
    this.headers = { authorization: `Bearer ${secret}` };
    this.client = new Client(service);
  }

  /** The documents found by each search that takes a filter. */
  async search(message: string, filter: object | undefined): Promise<Record<string, string[]>> {
    const asked = { message, top_k: 50, ...(filter && { filter }) };
    const [query, tool, store] = await Promise.all([
      this.client.post<QueryAnswer>('/query', asked, this.headers),
      this.callTool('search', { query: message, top_k: 50, ...(filter && { filter }) }),
      this.post(`/v1/vector_stores/${this.kbId}/search`, {
        ...{ query: message, max_num_results: 50, filters: filter ?? null },
      }),
    ]);
    const { data } = (await store.json()) as { data: { file_id: string }[] };
    return {
      query: documentsOf(query.body.results),
      'MCP search': documentsOf(tool['results'] as Row[]),
      'vector store': documentsOf(data.map(({ file_id }) => ({ document_id: file_id }))),
    };
  }

  /** The documents found by the search whose conditions are of another form. */
  async retrieve(query: string, conditions: object): Promise<string[]> {
    const response = await this.post('/dify/retrieval', {
      ...{ knowledge_id: this.kbId, query, metadata_condition: conditions },
      retrieval_setting: { top_k: 50, score_threshold: 0 },
    });
    const { records } = (await response.json()) as { records: { metadata: Row }[] };
    return documentsOf(records.map(({ metadata }) => metadata));
  }

  /** What each answer tells: at once, as a stream, and in a conversation that goes on. */
  async ask(
    message: string,
    filter: object | undefined,
  ): Promise<{ conversationId: string; told: Record<string, Told> }> {
    const asked = { message, top_k: 50, ...(filter && { filter }) };
    const [chat, stream] = await Promise.all([
      this.client.post<ChatAnswer>('/chat', asked, this.headers),
      ChatStream.open(this.service, asked, this.headers).then((opened) => opened.done()),
    ]);
    const { conversation_id } = chat.body;
    const next = await this.client.post<ChatAnswer>(
      '/chat',
      { ...asked, conversation_id },
      this.headers,
    );
    const told = {
      chat: toldBy(chat.body),
      'chat, continued': toldBy(next.body),
      'chat, streamed': { text: stream.text, sources: stream.sources ?? [] },
      'chat, end of the stream': toldBy(stream.end),
    };
    return { conversationId: conversation_id, told };
  }

  /** Like `ask`, by the ways that take no filter. */
  async askWithoutFilter(question: string): Promise<Record<string, Told>> {
    const messages = [{ role: 'user', content: question }];
    const completions = (more: object) =>
      this.post('/v1/chat/completions', { model: 'latchkey', messages, ...more });
    const [tool, completion, stream] = await Promise.all([
      this.callTool('ask', { question }),
      completions({}),
      completions({ stream: true }),
    ]);
    const { choices, sources } = (await completion.json()) as {
      choices: { message: { content: string } }[];
      sources: Row[];
    };
    const chunks = (await stream.text()).split('\n\n').flatMap((line) => {
      const json = /^data: (\{.*\})$/m.exec(line)?.[1];
      return json === undefined ? [] : [JSON.parse(json) as Chunk];
    });
    return {
      'MCP ask': toldBy(tool as unknown as ChatAnswer),
      completion: { text: choices[0]?.message.content ?? '', sources },
      'completion, streamed': {
        text: chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join(''),
        sources: chunks.flatMap(({ sources: given = [] }) => given),
      },
    };
  }

  private post(path: string, body: object): Promise<Response> {
    return fetch(this.service.url + path, {
      method: 'POST',
      headers: {
        ...this.headers,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify(body),
    });
  }

  private async callTool(name: string, given: object): Promise<Record<string, unknown>> {
    const call = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: given },
    };
    const text = await (await this.post('/mcp', call)).text();
    const json = /^data: (.*)$/m.exec(text)?.[1] ?? text;
    const { result } = JSON.parse(json) as { result: { structuredContent: object } };
    return result.structuredContent as Record<string, unknown>;
  }
}

interface Chunk {
  readonly choices: { delta: { content?: string } }[];
  readonly sources?: Row[];
}

const toldBy = (answer: ChatAnswer | undefined): Told => ({
  text: answer?.answer ?? '',
  sources: answer?.sources ?? [],
});

import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export interface ModelRequest {
  readonly model: string;
  readonly messages: { role: string; content: string }[];
  readonly temperature?: number;
  readonly stream: boolean;
  readonly tools?: unknown;
}

/** A call of the model, as its server saw it. */
export interface ModelCall {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: ModelRequest;
  readonly at: number;
  /** When the caller hung up before the answer was whole. */
  abortedAt?: number;
}

type Behaviour = (response: ServerResponse, call: ModelCall) => void | Promise<void>;

export const USAGE = { prompt_tokens: 42, completion_tokens: 7, total_tokens: 49 };

/** One line of a stream, as OpenAI's chat completions have it. */
export const chunk = (content: string, more: object = {}): string =>
  line({ choices: [{ index: 0, delta: { content }, finish_reason: null }], ...more });

export const line = (data: object): string => `data: ${JSON.stringify({ id: 'c1', ...data })}\n\n`;

export const ending = (finishReason = 'stop'): string =>
  line({ choices: [{ index: 0, delta: {}, finish_reason: finishReason }] }) +
  line({ choices: [], usage: USAGE }) +
  'data: [DONE]\n\n';

export const begin = (response: ServerResponse): void => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
};

/** Says these pieces and ends. */
export const says =
  (...pieces: string[]): Behaviour =>
  (response) => {
    begin(response);
    for (const piece of pieces) response.write(chunk(piece));
    response.end(ending());
  };

/** Says these pieces and then nothing more. */
export const saysAndHangs =
  (...pieces: string[]): Behaviour =>
  (response) => {
    begin(response);
    for (const piece of pieces) response.write(chunk(piece));
  };

/** Answers with a status and a body, without a stream. */
export const answers =
  (status: number, body: object, headers: Record<string, string> = {}): Behaviour =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };

/** A model provider on loopback that does what the test says, good or bad. */
export class ModelServer {
  readonly calls: ModelCall[] = [];
  /** What the next calls meet. */
  behave: Behaviour = says('Within 30 days. [1]');

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<ModelServer> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const modelServer = new ModelServer(server, `http://127.0.0.1:${port}/v1`);
    server.on('request', (request, response) => void modelServer.take(request, response));
    return modelServer;
  }

  /** What makes a service use it. */
  get environment(): NodeJS.ProcessEnv {
    return { LLM_BASE_URL: this.url, LLM_MODEL: 'test-model', LLM_API_KEY: 'sk-of-the-provider' };
  }

  get last(): ModelCall {
    const call = this.calls.at(-1);
    if (!call) throw new Error('The model was not called');
    return call;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = (await json(request)) as ModelRequest;
    const { url: path = '', headers } = request;
    const call: ModelCall = { path, headers, body, at: Date.now() };
    this.calls.push(call);
    response.once('close', () => {
      if (!response.writableFinished) call.abortedAt = Date.now();
    });
    await this.behave(response, call);
  }
}

import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

interface OtlpSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: { key: string; value: Record<string, unknown> }[];
  status: { code?: number };
}

interface OtlpRequest {
  resourceSpans: { scopeSpans: { spans: OtlpSpan[] }[] }[];
}

export interface ReceivedSpan extends Omit<OtlpSpan, 'attributes'> {
  readonly attributes: Record<string, unknown>;
}

/** Receives traces by OTLP over HTTP, and parses those in JSON. */
export class OtlpReceiver {
  readonly spans: ReceivedSpan[] = [];
  /** The content type and bytes of each request. */
  readonly requests: { type: string | undefined; body: Buffer }[] = [];
  /** Whether requests get an answer. */
  answers = true;

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<OtlpReceiver> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const receiver = new OtlpReceiver(server, `http://127.0.0.1:${port}`);
    server.on('request', (request: IncomingMessage, response) => {
      void buffer(request).then((body) => {
        const type = request.headers['content-type'];
        receiver.requests.push({ type, body });
        if (type === 'application/json') receiver.take(JSON.parse(body.toString()) as OtlpRequest);
        if (receiver.answers) response.setHeader('content-type', 'application/json').end('{}');
      });
    });
    return receiver;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  of(name: string): ReceivedSpan[] {
    return this.spans.filter((span) => span.name === name);
  }

  private take({ resourceSpans }: OtlpRequest): void {
    for (const { scopeSpans } of resourceSpans) {
      for (const { spans } of scopeSpans) {
        for (const { attributes, ...span } of spans) {
          const values = attributes.map(
            ({ key, value }) => [key, Object.values(value)[0]] as const,
          );
          this.spans.push({ ...span, attributes: Object.fromEntries(values) });
        }
      }
    }
  }
}

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface AskedPage {
  readonly path: string;
  readonly key: string;
  readonly body: string;
}

export type RecognitionAnswer = readonly [
  status: number,
  body: unknown,
  headers?: Record<string, string>,
];

/** What PaddleOCR answers. */
export const paddleOcr = (text: string): RecognitionAnswer => [
  200,
  {
    errorCode: 0,
    errorMsg: 'Success',
    result: {
      ocrResults: [
        {
          prunedResult: {
            rec_texts: [text],
            rec_scores: [0.93],
            rec_boxes: [[100, 80, 700, 110]],
          },
        },
      ],
    },
  },
];

/** Answers as a server that recognises pages does, and remembers what it was asked. */
export class RecognitionServer {
  readonly asked: AskedPage[] = [];
  answer: (path: string) => RecognitionAnswer | Promise<RecognitionAnswer> = () => [503, {}];

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<RecognitionServer> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const started = new RecognitionServer(server, `http://127.0.0.1:${port}`);
    server.on('request', (request, response) => {
      void (async () => {
        const parts: Buffer[] = [];
        for await (const part of request) parts.push(part as Buffer);
        const path = String(request.url);
        const body = Buffer.concat(parts).toString('latin1');
        started.asked.push({ path, key: String(request.headers['x-api-key']), body });
        const [status, content, headers] = await started.answer(path);
        response.writeHead(status, { 'content-type': 'application/json', ...headers });
        response.end(typeof content === 'string' ? content : JSON.stringify(content));
      })();
    });
    return started;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

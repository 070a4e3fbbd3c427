import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** Words of one meaning: each group is a direction of its vectors. */
const MEANINGS = [
  ['car', 'automobile', 'vehicle', 'drive'],
  ['refund', 'reimbursement', 'money'],
  ['physician', 'doctor', 'medicine'],
];

/** It takes no text that says this. */
export const REFUSED = 'poison';

type Mood = 'well' | 'error' | 'nonsense' | 'silent';

/** An OpenAI-compatible endpoint for embeddings that knows a few synonyms, and can fail. */
export class EmbeddingsServer {
  mood: Mood = 'well';
  /** How many texts it was sent, and with which credential. */
  texts = 0;
  /** The texts of each request, in the order of arrival. */
  readonly requests: (readonly string[])[] = [];
  /** Requests are answered when it is resolved. */
  gate = Promise.resolve();
  readonly credentials = new Set<string>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<EmbeddingsServer> {
    const server = createServer();
    const endpoint = new EmbeddingsServer(server);
    server.on('request', (request, response) => {
      void json(request).then(async (body) => {
        const { input } = body as { input: string[] };
        endpoint.texts += input.length;
        endpoint.requests.push(input);
        endpoint.credentials.add(String(request.headers.authorization));
        if (endpoint.mood === 'silent') return;
        await endpoint.gate;
        const refused = input.some((text) => text.includes(REFUSED));
        response.writeHead(endpoint.mood === 'error' ? 500 : refused ? 400 : 200, {
          'content-type': 'application/json',
        });
        const data = input.map((text, index) => ({ index, embedding: vectorOf(text) }));
        const error = { message: `What is ${request.headers.authorization ?? ''}?` };
        const answers = { well: { data }, nonsense: { data: [] }, error: { error } };
        response.end(JSON.stringify(answers[endpoint.mood]));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return endpoint;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

function vectorOf(text: string): number[] {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const meanings = MEANINGS.map((group) => words.filter((word) => group.includes(word)).length);
  return [...meanings, 0.1].flatMap((value) => [value - 0.05, 0.05 - value]);
}

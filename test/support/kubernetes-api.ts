import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** What the API gives every object. */
const UID = 'b9a3c1de-5a0f-4a3e-9d52-0f6f2f6f4c11';

interface Secret {
  metadata: { uid: string; resourceVersion: string; annotations: Record<string, string> };
  data: Record<string, string>;
}

interface Patch {
  metadata: { resourceVersion: string; annotations: Record<string, string> };
  data: Record<string, string>;
}

/** As much of the Kubernetes API as keeps one Secret, for whoever has the token. */
export class KubernetesApi {
  /** Runs before the next change of the Secret. */
  beforePatch: (() => Promise<void> | void) | undefined;
  private secret: Secret = {
    metadata: { uid: UID, resourceVersion: '1', annotations: {} },
    data: {},
  };

  private constructor(
    private readonly server: Server,
    private readonly path: string,
    private readonly token: string,
  ) {}

  /** @param tls the server's key and certificate */
  static async start(
    path: string,
    token: string,
    tls: { key: Buffer; cert: Buffer },
  ): Promise<KubernetesApi> {
    const server = createServer(tls).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const api = new KubernetesApi(server, path, token);
    server.on('request', (request: IncomingMessage, response) => {
      void api.answer(request).then(([status, body]) => {
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(JSON.stringify(body));
      });
    });
    return api;
  }

  get url(): string {
    return `https://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  put(key: string, annotations: Record<string, string> = {}): void {
    const resourceVersion = String(Number(this.secret.metadata.resourceVersion) + 1);
    const data = { 'api-key': Buffer.from(key).toString('base64') };
    this.secret = { metadata: { uid: UID, resourceVersion, annotations }, data };
  }

  get key(): string {
    return Buffer.from(String(this.secret.data['api-key']), 'base64').toString();
  }

  private async answer(request: IncomingMessage): Promise<[number, object]> {
    const { method, url, headers } = request;
    if (headers.authorization !== `Bearer ${this.token}`) return [401, {}];
    if (url !== this.path) return [403, {}];
    if (method === 'GET') return [200, this.secret];
    if (method !== 'PATCH') return [403, {}];
    if (headers['content-type'] !== 'application/merge-patch+json') return [415, {}];
    const { metadata, data } = (await json(request)) as Patch;
    const before = this.beforePatch;
    this.beforePatch = undefined;
    await before?.();
    if (metadata.resourceVersion !== this.secret.metadata.resourceVersion) return [409, {}];
    this.put('', { ...this.secret.metadata.annotations, ...metadata.annotations });
    Object.assign(this.secret.data, data);
    return [200, this.secret];
  }
}

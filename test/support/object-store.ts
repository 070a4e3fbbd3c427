import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { signer } from '../../packages/sources/test/signature.js';

const CREDENTIALS = { accessKeyId: 'AKIDTEST', secretAccessKey: 'secret/of+the+object/store' };
const REGION = 'eu-test-1';
const BUCKET = 'latchkey-test';
const CHECKSUM = 'x-amz-checksum-sha256';
const CONTENT_HASH = 'x-amz-content-sha256';
/** The parameters of a signature, which are not signed themselves. */
const SIGNATURE_PARAMETERS = /^x-amz-(algorithm|credential|date|expires|signedheaders|signature)$/i;

interface SignedRequest {
  readonly method: string;
  readonly url: string;
}

/**
 * An object store that speaks the S3 API, as far as it is used, and believes nothing: signatures are
 * computed again by Amazon's own library.
 */
export class ObjectStore {
  /** By key. */
  readonly objects = new Map<string, Buffer>();
  readonly requests: SignedRequest[] = [];
  /** Answers instead of the store, when it returns true. */
  intercept: (request: IncomingMessage, response: ServerResponse) => boolean = () => false;

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<ObjectStore> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const store = new ObjectStore(server, `http://127.0.0.1:${port}`);
    server.on('request', (request, response) => {
      void store.answer(request, response);
    });
    return store;
  }

  /** What makes a service use it. */
  get environment(): NodeJS.ProcessEnv {
    return {
      CONTENT_STORE: `s3://${BUCKET}/originals/here`,
      CONTENT_STORE_ENDPOINT: this.url,
      AWS_REGION: REGION,
      AWS_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
      AWS_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
    };
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: path = '' } = request;
    this.requests.push({ method, url: path });
    const refuse = (status: number, code: string) => {
      response.writeHead(status, { 'content-type': 'application/xml', connection: 'close' });
      response.end(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`);
    };
    if (this.intercept(request, response)) return;
    const url = new URL(path, this.url);
    const refusal = await refusalOf(request, url);
    if (refusal !== undefined) {
      refuse(403, refusal);
      return;
    }
    const [, bucket, ...rest] = decodeURIComponent(url.pathname).split('/');
    const key = rest.join('/');
    const object = this.objects.get(key);
    if (bucket !== BUCKET) refuse(404, 'NoSuchBucket');
    else if (method === 'PUT') {
      const body = await buffer(request);
      const hash = createHash('sha256').update(body).digest('base64');
      if (request.headers['content-length'] === undefined) refuse(411, 'MissingContentLength');
      else if (request.headers['if-none-match'] === '*' && object)
        refuse(412, 'PreconditionFailed');
      else if (request.headers[CHECKSUM] !== hash) refuse(400, 'BadDigest');
      else {
        this.objects.set(key, body);
        response.end();
      }
    } else if (method === 'DELETE') {
      this.objects.delete(key);
      response.writeHead(204).end();
    } else if (!object) refuse(404, 'NoSuchKey');
    else {
      const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
      if (first === undefined) response.end(object);
      else response.writeHead(206).end(object.subarray(Number(first), Number(last) + 1));
    }
  }
}

/** The code with which a request is refused, or undefined for one that is signed and not too old. */
async function refusalOf(request: IncomingMessage, url: URL): Promise<string | undefined> {
  const signed = (name: string) => url.searchParams.get(`X-Amz-${name}`) ?? '';
  const date = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(signed('Date'));
  if (!date) return 'AccessDenied';
  const [, year, month, day, hour, minute, second] = date;
  const signingDate = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  const expiresIn = Number(signed('Expires'));
  if (!(Date.now() < signingDate.getTime() + expiresIn * 1000)) return 'AccessDenied';
  const names = signed('SignedHeaders').split(';');
  // Whoever can change the checksum on the way can change the content, too.
  if (!names.includes('host') || (request.headers[CHECKSUM] && !names.includes(CHECKSUM))) {
    return 'AccessDenied';
  }
  const query = [...url.searchParams].filter(([name]) => !SIGNATURE_PARAMETERS.test(name));
  const headers = names.map((name): [string, string] => [name, String(request.headers[name])]);
  const presigned = await signer(REGION, CREDENTIALS).presign(
    {
      method: request.method ?? '',
      protocol: url.protocol,
      hostname: url.hostname,
      port: Number(url.port),
      path: url.pathname,
      query: Object.fromEntries(query),
      headers: { ...Object.fromEntries(headers), [CONTENT_HASH]: 'UNSIGNED-PAYLOAD' },
    },
    {
      signingDate,
      expiresIn,
      unhoistableHeaders: new Set([...names, CONTENT_HASH]),
      unsignableHeaders: new Set([CONTENT_HASH]),
    },
  );
  const expected = presigned.query?.['X-Amz-Signature'];
  return expected === signed('Signature') ? undefined : 'SignatureDoesNotMatch';
}

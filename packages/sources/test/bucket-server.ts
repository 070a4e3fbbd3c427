import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { LocalServer } from './local-server.js';
import { signer } from './signature.js';

export const CREDENTIALS = { access_key_id: 'AKIDTEST', secret_access_key: 'secret/of+the+store' };
const REGION = 'eu-test-1';
const BUCKET = 'documents';

/** A store with the part of the S3 API that sources use. Amazon's library checks the signatures. */
export class BucketServer extends LocalServer {
  readonly objects = new Map<string, string>();
  readonly tags = new Map<string, Readonly<Record<string, string>>>();
  pageSize = 2;

  static start(): Promise<BucketServer> {
    return new BucketServer().listen();
  }

  get config() {
    return { endpoint: this.url, region: REGION, bucket: BUCKET };
  }

  /** The first page of a listing. */
  firstPage(): string {
    return this.listing(new URL(`${this.url}/?max-keys=${this.pageSize}`));
  }

  protected async answer(
    request: IncomingMessage,
    response: ServerResponse,
    url: URL,
  ): Promise<void> {
    const refuse = (status: number, code: string) => {
      response.writeHead(status).end(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`);
    };
    const [, bucket, ...rest] = decodeURIComponent(url.pathname).split('/');
    const key = rest.join('/');
    const object = this.objects.get(key);
    if (!(await isSigned(request, url))) refuse(403, 'SignatureDoesNotMatch');
    else if (bucket !== BUCKET) refuse(404, 'NoSuchBucket');
    else if (url.searchParams.has('list-type')) response.end(this.listing(url));
    else if (object === undefined) refuse(404, 'NoSuchKey');
    else if (url.searchParams.has('tagging')) response.end(this.tagging(key));
    else {
      const etag = `"${hashEtag(object)}"`;
      const expected = request.headers['if-match'];
      if (expected !== undefined && expected !== etag) refuse(412, 'PreconditionFailed');
      else response.writeHead(200, { etag }).end(object);
    }
  }

  private tagging(key: string): string {
    const tags = Object.entries(this.tags.get(key) ?? {}).map(
      ([name, value]) => `<Tag><Key>${name}</Key><Value>${value}</Value></Tag>`,
    );
    return `<?xml version="1.0" encoding="UTF-8"?><Tagging xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><TagSet>${tags.join('')}</TagSet></Tagging>`;
  }

  listing({ searchParams }: URL): string {
    const prefix = searchParams.get('prefix') ?? '';
    const after = searchParams.get('continuation-token') ?? '';
    const keys = [...this.objects.keys()].sort().filter((key) => key.startsWith(prefix));
    const rest = keys.filter((key) => key > after);
    const page = rest.slice(0, Math.min(this.pageSize, Number(searchParams.get('max-keys'))));
    const contents = page.map((key) => {
      const object = this.objects.get(key) ?? '';
      return `<Contents><Key>${encodeURIComponent(key)}</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified><ETag>&quot;${hashEtag(object)}&quot;</ETag><Size>${object.length}</Size></Contents>`;
    });
    const isTruncated = page.length < rest.length;
    const next = `<NextContinuationToken>${page.at(-1) ?? ''}</NextContinuationToken>`;
    return `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><EncodingType>url</EncodingType><KeyCount>${page.length}</KeyCount><IsTruncated>${isTruncated}</IsTruncated>${isTruncated ? next : ''}${contents.join('')}</ListBucketResult>`;
  }
}

const hashEtag = (object: string) => createHash('md5').update(object).digest('hex');

async function isSigned(request: IncomingMessage, url: URL): Promise<boolean> {
  const given = String(request.headers.authorization);
  const names = /SignedHeaders=([^,]+)/.exec(given)?.[1]?.split(';') ?? [];
  const date = String(request.headers['x-amz-date']);
  const time = date.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z');
  const headers = names.map((name): [string, string] => [name, String(request.headers[name])]);
  const signed = await signer(REGION, {
    accessKeyId: CREDENTIALS.access_key_id,
    secretAccessKey: CREDENTIALS.secret_access_key,
  }).sign(
    {
      method: request.method ?? '',
      protocol: url.protocol,
      hostname: url.hostname,
      port: Number(url.port),
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: Object.fromEntries(headers),
    },
    { signingDate: new Date(time) },
  );
  const isFresh = Math.abs(Date.now() - Date.parse(time)) < 15 * 60_000;
  return isFresh && signed.headers['authorization'] === given;
}

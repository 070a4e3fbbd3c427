import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { posix, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** The default, 11, takes seconds for the largest script and saves only 10 % more. */
const BROTLI_QUALITY = 6;

type Encoding = 'br' | 'gzip' | 'identity';

interface StaticFile {
  readonly etag: string;
  readonly encoded: Readonly<Record<Encoding, Buffer>>;
}

type StaticFileHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Serves a public file at each of `paths`. */
export function serveStaticFile(
  fastify: FastifyInstance,
  paths: readonly string[],
  ...file: Parameters<typeof handleStaticFile>
): void {
  const handle = handleStaticFile(...file);
  for (const path of paths) fastify.get(path, handle);
}

/**
 * Answers with a public file, which is read and compressed once, at the first request.
 *
 * @param type the content type
 */
export function handleStaticFile(
  type: string,
  read: () => string | Buffer | Promise<Buffer>,
  // `no-cache`: the browser revalidates its copy each time, so an upgrade takes effect at once.
  cacheControl = 'no-cache',
): StaticFileHandler {
  let loading: Promise<StaticFile> | undefined;
  const load = () => {
    loading ??= Promise.resolve(read()).then(encode);
    loading.catch(() => (loading = undefined));
    return loading;
  };
  return async (request, reply) => {
    const file = await load();
    void reply.header('cache-control', cacheControl).header('etag', file.etag);
    varyByEncoding(reply);
    if (isFresh(request, file.etag)) return reply.status(304).send();
    const encoding = acceptedEncoding(request.headers['accept-encoding']);
    if (encoding !== 'identity') void reply.header('content-encoding', encoding);
    return reply.type(type).send(file.encoded[encoding]);
  };
}

/** Lists the paths of files below a folder, with slashes; empty if the folder does not exist. */
export function listFiles(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true }).map((path) =>
      String(path).split(sep).join(posix.sep),
    );
  } catch {
    return [];
  }
}

async function encode(content: string | Buffer): Promise<StaticFile> {
  const identity = Buffer.from(content);
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(identity, {
      params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY },
    }),
    promisify(gzip)(identity),
  ]);
  // The ETag is weak, since all encodings share it.
  const etag = `W/"${createHash('sha256').update(identity).digest('base64url')}"`;
  return { etag, encoded: { identity, br, gzip: gz } };
}

/** Returns the best compression that the client accepts; `q=0` means that an encoding is not accepted. */
function acceptedEncoding(header: string | string[] = ''): Encoding {
  const accepted = String(header)
    .split(',')
    .map((entry) => entry.split(';').map((part) => part.trim().toLowerCase()))
    .filter(([, weight = '']) => !/^q=0(\.0*)?$/.test(weight))
    .map(([name]) => name);
  return (['br', 'gzip'] as const).find((name) => accepted.includes(name)) ?? 'identity';
}

function isFresh({ headers }: FastifyRequest, etag: string): boolean {
  return (headers['if-none-match'] ?? '').split(',').some((known) => known.trim() === etag);
}

/** Appends to the Vary header, which CORS may have set. */
function varyByEncoding(reply: FastifyReply): void {
  const vary = reply.getHeader('vary');
  void reply.header(
    'vary',
    vary === undefined ? 'Accept-Encoding' : `${String(vary)}, Accept-Encoding`,
  );
}

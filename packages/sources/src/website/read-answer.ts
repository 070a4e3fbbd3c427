import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { readDeclaredCharset } from '../declared-charset.js';
import { isReadableType, findTypeByName } from '../readable-file.js';
import { readBounded, readBytes } from '../throttled-client.js';
import { normalizeAddress } from './config.js';
import type { KnownPage } from './page-cache.js';
import { readPage } from './read-page.js';

/** People do not read larger pages. */
const MAX_PAGE_BYTES = 10 * 1024 * 1024;

/** @returns the media type of an answer that the service reads, or undefined; pictures are left out */
export function findReadableType(address: string, { headers }: Response): string | undefined {
  const [declared = ''] = (headers.get('content-type') ?? '').split(';', 1);
  const type = declared.trim().toLowerCase();
  if (type.startsWith('image/')) return undefined;
  const named = findTypeByName(new URL(address).pathname);
  if (type === '' || type === 'application/octet-stream') return named;
  // Servers often send Markdown and other text formats as plain text.
  if (type === 'text/plain') return named ?? type;
  return isReadableType(type) ? type : undefined;
}

/**
 * Reads a successful answer and writes its body to a file.
 *
 * @throws SourceError if it is too large or ends early
 */
export async function readAnswer(
  address: string,
  response: Response,
  { type, path, maxBytes }: { type: string; path: string; maxBytes: number },
): Promise<KnownPage> {
  const isPage = type === 'text/html' || type === 'application/xhtml+xml';
  const read = isPage
    ? await readHtml(address, response, path, Math.min(maxBytes, MAX_PAGE_BYTES))
    : await readFile(address, response, path, maxBytes);
  const { headers } = response;
  const etag = headers.get('etag');
  const lastModified = headers.get('last-modified');
  const isHidden = /\b(?:noindex|none)\b/i.test(headers.get('x-robots-tag') ?? '');
  return {
    ...read,
    type,
    isDocument: read.isDocument && !isHidden,
    ...(etag !== null && { etag }),
    ...(lastModified !== null && { lastModified }),
    ...readDeclaredCharset(headers),
  };
}

async function readFile(address: string, response: Response, path: string, maxBytes: number) {
  const hash = createHash('sha256');
  await pipeline(
    readBounded(response, maxBytes),
    async function* (parts) {
      for await (const part of parts) {
        hash.update(part);
        yield part;
      }
    },
    createWriteStream(path),
  );
  return { key: address, version: hash.digest('hex'), title: '', isDocument: true, links: [] };
}

async function readHtml(address: string, response: Response, path: string, maxBytes: number) {
  const html = decodeHtml(await readBytes(response, maxBytes), response);
  await pipeline([`\ufeff${html}`], createWriteStream(path));
  const page = readPage(html);
  const base =
    page.base === undefined ? address : (normalizeAddress(page.base, address) ?? address);
  const links = page.isFollowed ? page.links : [];
  const canonical =
    page.canonical === undefined ? undefined : normalizeAddress(page.canonical, base);
  // A page cannot claim an address of another site.
  const isOwn = canonical !== undefined && new URL(canonical).origin === new URL(address).origin;
  return {
    key: isOwn ? canonical : address,
    version: page.hash,
    title: page.title,
    isDocument: page.isIndexed,
    links: [...new Set(links.flatMap((link) => normalizeAddress(link, base) ?? []))],
    ...(page.isFollowed && page.hasMoreLinks && { hasMoreLinks: true as const }),
  };
}

const META_CHARSET = /<meta[^>]{1,200}?charset=["']?([\w-]{1,40})/i;

/** Decodes HTML as browsers do: by the header, or by the page itself, or as UTF-8. */
function decodeHtml(bytes: Buffer, { headers }: Response): string {
  const header = /charset=["']?([\w-]{1,40})/i.exec(headers.get('content-type') ?? '')?.[1];
  const meta = META_CHARSET.exec(bytes.toString('latin1', 0, 2048))?.[1];
  try {
    return new TextDecoder(header ?? meta).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

import { createGunzip } from 'node:zlib';
import { pipeline, Readable } from 'node:stream';
import { SaxesParser } from 'saxes';
import { readBounded, getHost, type ThrottledClient, toStatusError } from '../throttled-client.js';
import { SourceError } from '../source-kind.js';
import { normalizeAddress } from './config.js';

/** The protocol's limit for an uncompressed sitemap. */
const MAX_BYTES = 50 * 1024 * 1024;
const MAX_LOCATIONS = 50_000;
const MAX_SITEMAPS = 1000;
/** Addresses are at the third level; deeper nesting is tolerated up to this limit. */
const MAX_DEPTH = 100;
const GZIP = Buffer.from([0x1f, 0x8b]);

/**
 * Reads the addresses of a sitemap, and of the sitemaps that it is an index of.
 *
 * @throws SourceError if one of them cannot be read completely
 */
export async function* readSitemap(
  start: string,
  client: ThrottledClient,
  maxEntries: number,
): AsyncGenerator<string> {
  const sitemaps = [start];
  const seen = new Set(sitemaps);
  let entries = 0;
  for (const url of sitemaps) {
    for (const { element, address } of await readOne(url, client)) {
      if (element === 'url') {
        if (++entries > maxEntries) {
          throw new SourceError('too_many_documents', 'The sitemap has too many addresses.');
        }
        yield address;
      } else if (!seen.has(address)) {
        if (seen.size >= MAX_SITEMAPS) {
          throw new SourceError('too_many_documents', 'There are too many sitemaps.');
        }
        seen.add(address);
        sitemaps.push(address);
      }
    }
  }
}

interface Location {
  readonly element: 'url' | 'sitemap';
  readonly address: string;
}

async function readOne(url: string, client: ThrottledClient): Promise<Location[]> {
  const response = await client.request(url);
  if (!response.ok) {
    await response.body?.cancel();
    throw toStatusError(url, response.status);
  }
  const reader = new SitemapReader();
  const decoder = new TextDecoder();
  try {
    for await (const part of inflate(readBounded(response, MAX_BYTES))) {
      reader.write(decoder.decode(part, { stream: true }));
    }
    return reader.end();
  } catch (error) {
    if (error instanceof SourceError) throw error;
    const message = `The sitemap of ${getHost(url)} is no XML, or was cut.`;
    throw new SourceError('incomplete_listing', message, { cause: error });
  }
}

/** Inflates a sitemap that is itself a compressed file, which is recognised by its first bytes. */
async function* inflate(parts: AsyncGenerator<Buffer, void>): AsyncGenerator<Buffer, void> {
  const { value: first } = await parts.next();
  if (first === undefined) return;
  const all = withFirst(first, parts);
  if (!first.subarray(0, 2).equals(GZIP)) {
    yield* all;
    return;
  }
  let bytes = 0;
  // Errors reach the reader through the last stream. An unhandled error of a stream would end the process.
  for await (const part of pipeline(Readable.from(all), createGunzip(), () => undefined)) {
    const buffer = part as Buffer;
    bytes += buffer.byteLength;
    if (bytes > MAX_BYTES) throw new SourceError('too_large', 'A sitemap is too large.');
    yield buffer;
  }
}

async function* withFirst(
  first: Buffer,
  rest: AsyncGenerator<Buffer, void>,
): AsyncGenerator<Buffer, void> {
  yield first;
  yield* rest;
}

class SitemapReader {
  private readonly parser = new SaxesParser();
  private readonly locations: Location[] = [];
  private readonly path: string[] = [];
  private text = '';

  constructor() {
    this.parser.on('opentag', ({ name }) => {
      if (this.path.length >= MAX_DEPTH) throw new Error('It is nested too deeply');
      this.path.push(name.slice(name.lastIndexOf(':') + 1));
      this.text = '';
    });
    this.parser.on('text', (text) => (this.text += text));
    this.parser.on('cdata', (text) => (this.text += text));
    this.parser.on('closetag', () => {
      if (this.path.pop() === 'loc') this.add(this.path.at(-1));
    });
    this.parser.on('error', (error) => {
      throw error;
    });
  }

  write(text: string): void {
    this.parser.write(text);
  }

  end(): Location[] {
    this.parser.close();
    return this.locations;
  }

  /** @throws SourceError */
  private add(element: string | undefined): void {
    if (this.locations.length >= MAX_LOCATIONS) {
      throw new SourceError('too_many_documents', 'A sitemap has too many addresses.');
    }
    const address = normalizeAddress(this.text.trim());
    if (address === undefined) return;
    if (element === 'url' || element === 'sitemap') this.locations.push({ element, address });
  }
}

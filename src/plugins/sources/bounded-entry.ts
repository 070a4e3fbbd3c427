import { type SourceEntry, SourceError } from '@latchkey/sources/source-kind';

const MAX_KEY = 1000;
const MAX_VERSION = 1000;
const MAX_URL = 2048;
const MAX_TITLE = 1000;
const MAX_MESSAGE = 500;
const MAX_PRINCIPALS = 500;
const MAX_PRINCIPAL = 300;

/**
 * An entry whose texts are no longer than a document can have, before it leaves the process that reads
 * the source.
 *
 * @throws SourceError when what names the document or its content is too long
 */
export function boundedEntry(entry: SourceEntry): SourceEntry {
  const { key, version, url, title, unavailable, access } = entry;
  if (key.length > MAX_KEY || version.length > MAX_VERSION) {
    const message = 'The source lists a document with a name or version that is too long.';
    throw new SourceError('incomplete_listing', message);
  }
  return {
    ...entry,
    url: url.length > MAX_URL ? '' : url,
    ...(title !== undefined && { title: title.slice(0, MAX_TITLE) }),
    ...(unavailable !== undefined && { unavailable: unavailable.slice(0, MAX_MESSAGE) }),
    ...(access && { access: isBounded(access) ? access : 'unreadable' }),
  };
}

const isBounded = (access: NonNullable<SourceEntry['access']>) =>
  access === 'unreadable' ||
  [access.allow, access.deny].every(
    (names) =>
      names.length <= MAX_PRINCIPALS && names.every(({ length }) => length <= MAX_PRINCIPAL),
  );

/** Characters of the entries of a listing, as JSON, for each document that a source may have, and in all. */
const MAX_CHARACTERS = 2000;
const MAX_CHARACTERS_IN_ALL = 50_000_000;

/** Counts what a listing has in all: the service keeps all entries that it loads. */
export class ListingSize {
  private readonly maxCharacters: number;
  private characters = 0;

  constructor(maxEntries: number) {
    this.maxCharacters = Math.min(
      MAX_CHARACTERS * Math.max(maxEntries, 1000),
      MAX_CHARACTERS_IN_ALL,
    );
  }

  /**
   * Counts an entry of a message. A rule that entries of it have in common is counted, sent and kept once.
   *
   * @param rules of the message so far
   * @throws SourceError
   */
  add({ access, ...entry }: SourceEntry, rules: Set<SourceEntry['access']>): void {
    this.characters += JSON.stringify(entry).length;
    if (access && !rules.has(access)) this.characters += JSON.stringify(access).length;
    rules.add(access);
    if (this.characters > this.maxCharacters) {
      throw new SourceError('too_large', 'The listing of the source is too large.');
    }
  }
}

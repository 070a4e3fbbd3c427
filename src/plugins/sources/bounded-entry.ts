import { type SidecarReport, type SourceEntry, SourceError } from '@latchkey/sources/source-kind';

const MAX_KEY = 1000;
const MAX_VERSION = 1000;
const MAX_URL = 2048;
const MAX_TITLE = 1000;
const MAX_MESSAGE = 500;
const MAX_PRINCIPALS = 500;
const MAX_REPORT = 1_000_000;
const MAX_PROBLEMS = 100;
const MAX_PRINCIPAL = 300;

/**
 * Bounds the texts of an entry to the lengths of a document, before it leaves the process that reads the
 * source.
 *
 * @throws SourceError if the key, version or address is too long
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

/** Bounds the texts about sidecars. @throws SourceError if they are too many to be kept with the source */
export function boundedReport(report: SidecarReport | null): SidecarReport | null {
  if (!report) return null;
  if (JSON.stringify(report.sidecars).length > MAX_REPORT) {
    throw new SourceError(
      'too_large',
      'The files .latchkey.yml of the source name too many files.',
    );
  }
  const problems = report.problems.slice(0, MAX_PROBLEMS).map(({ key, message }) => ({
    ...{ key: key.slice(0, MAX_KEY), message: message.slice(0, MAX_MESSAGE) },
  }));
  return { ...report, problems };
}

const isBounded = (access: NonNullable<SourceEntry['access']>) =>
  access === 'unreadable' ||
  [access.allow, access.deny].every(
    (names) =>
      names.length <= MAX_PRINCIPALS && names.every(({ length }) => length <= MAX_PRINCIPAL),
  );

/** The maximum characters of a listing's entries as JSON: per document that a source may have, and in all. */
const MAX_CHARACTERS = 2000;
const MAX_CHARACTERS_IN_ALL = 50_000_000;

/** Limits the total size of a listing, because the service keeps all entries in memory. */
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
   * Counts an entry of a message. A rule that several entries of it share is counted, sent and kept once.
   *
   * @param rules the rules of the message so far
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

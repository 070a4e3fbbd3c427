import { invalidFields, shorten, unknownField } from '../../platform/http/body-shape.js';
import { MAX_ERRORS, Problem } from '../../platform/problems/problem.js';
import type { RunError } from '../sources/source-run.entity.js';
import { fromKey, isOutside, toKey } from './file-names.js';

/** Checksums of files without content: SHA-256, and that of Git. oikb lists such files and uploads none. */
const EMPTY: ReadonlySet<string> = new Set([
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391',
]);
export const MAX_KEY = 4096;
/** As many as fit in a body. */
export const MAX_FILES = 200_000;
const MAX_CHECKSUM = 1000;
/** Of a file; a later oikb may send more of them than we read. */
const MAX_FIELDS = 20;

/** A file of a manifest. */
export interface ListedFile {
  readonly key: string;
  readonly version: string;
  /** As the client writes them, which compares them literally. */
  readonly path: string;
  readonly filename: string;
  /** 0 if the client does not know it. */
  readonly size: number;
}

interface Limits {
  readonly maxFiles: number;
  /** The size of one file. */
  readonly maxBytes: number;
}

interface Manifest {
  readonly files: readonly ListedFile[];
  /** Files that cannot become documents, and are not asked for. */
  readonly errors: readonly RunError[];
}

/**
 * Reads the list of all files of a source. It may be long, so it is checked without a DTO.
 *
 * @throws Problem `validation_failed`
 */
export function readManifest(body: unknown, { maxFiles, maxBytes }: Limits): Manifest {
  if (typeof body !== 'object' || body === null) throw invalid('The body must be an object.');
  const { manifest: list, ...others } = body as Record<string, unknown>;
  const unknown = Object.keys(others).slice(0, MAX_ERRORS);
  if (unknown.length > 0) throw invalidFields(unknown.map((name) => unknownField(shorten(name))));
  if (!Array.isArray(list)) throw invalid('manifest must be a list of files.');
  const max = Math.min(maxFiles, MAX_FILES);
  if (list.length > max) {
    throw invalid(`manifest must have at most ${max} files (MAX_DOCUMENTS_PER_SOURCE).`);
  }
  const files = new Map<string, ListedFile>();
  const errors: RunError[] = [];
  list.forEach((value: unknown, index) => {
    const file = readFile(value, index);
    const reason = findReason(file, maxBytes) ?? (files.has(file.key) ? SAME_NAME : undefined);
    if (reason === undefined) files.set(file.key, file);
    else errors.push({ key: file.key.toWellFormed(), code: 'unreadable', message: reason });
  });
  return { files: [...files.values()], errors };
}

/** Names the version of a file by the checksum of its connector, which may have none. */
export const toVersion = (checksum: string, size: number): string =>
  checksum === '' ? `size ${size}` : checksum;

function readFile(value: unknown, index: number): ListedFile {
  const entry = (value ?? {}) as Record<string, unknown>;
  if (Object.keys(entry).length > MAX_FIELDS) {
    throw invalid(`manifest.${index} must have at most ${MAX_FIELDS} fields.`);
  }
  const { filename, path, checksum, size } = entry;
  if (typeof filename !== 'string' || typeof path !== 'string' || typeof checksum !== 'string') {
    throw invalid(`manifest.${index} must have the texts filename, path and checksum.`);
  }
  if (filename === '' || filename.length + path.length > MAX_KEY) {
    throw invalid(`manifest.${index} must have a name, and at most ${MAX_KEY} characters in all.`);
  }
  if (checksum.length > MAX_CHECKSUM) {
    throw invalid(`manifest.${index}.checksum must have at most ${MAX_CHECKSUM} characters.`);
  }
  const key = toKey(path, filename);
  if (isOutside(key)) throw invalid(`manifest.${index} must have a path within its folder.`);
  const bytes = typeof size === 'number' ? size : 0;
  return { key, version: toVersion(checksum, bytes), path, filename, size: bytes };
}

const SAME_NAME = 'Another file has the same name, but for its encoding.';

function findReason(
  { key, version, path, filename, size }: ListedFile,
  maxBytes: number,
): string | undefined {
  if (EMPTY.has(version)) return 'The file is empty.';
  // It would be refused before it is known which file it is.
  if (size > maxBytes) return 'The file is too large.';
  if (!key.isWellFormed()) return 'The name of the file is not Unicode.';
  // Uploads name files without their path, and a slash would begin another one.
  if (fromKey(key).path !== path.normalize('NFC') || filename.includes('\\')) {
    return 'The name of the file has a slash.';
  }
  return undefined;
}

const invalid = (detail: string) => new Problem('validation_failed', { detail });

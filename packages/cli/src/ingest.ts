import { readdir, readFile } from 'node:fs/promises';
import { basename, extname, join, relative, sep } from 'node:path';
import { describeError, isRefusal } from './client.js';
import type { Document } from '@latchkey/client';
import type { Destination } from './destination.js';
import { withProgress } from './progress.js';
import { readTitle } from './title.js';

/** Files with these suffixes are sent; the service detects their type by the content. */
export const SUFFIXES = [
  '.md',
  '.markdown',
  '.mdx',
  '.txt',
  '.html',
  '.htm',
  '.xhtml',
  '.pdf',
  '.docx',
  '.pptx',
  '.xlsx',
  '.odt',
  '.epub',
  '.eml',
  '.csv',
  '.tsv',
  '.ods',
  '.odp',
  '.rtf',
  '.msg',
  '.doc',
  '.xls',
  '.ppt',
  '.adoc',
  '.ipynb',
  '.vtt',
  '.srt',
];

export interface Failure {
  readonly file: string;
  readonly reason: string;
}

interface IngestReport {
  added: number;
  unchanged: number;
  /** Files of other types, which are not sent. */
  skipped: string[];
  failed: Failure[];
  /** How many documents are indexed; only with --wait. */
  ready?: number;
  /** Files whose documents were deleted; only with --delete-missing. */
  deleted?: string[];
}

/** The files of a folder, by their paths. */
export interface FoundFiles {
  readonly documents: readonly string[];
  readonly others: readonly string[];
}

export interface SentDocument {
  readonly file: string;
  readonly document: Document;
}

/** @throws a system error when a part of the folder cannot be read */
export async function listDocumentFiles(folder: string): Promise<FoundFiles> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const isDocument = (path: string) => SUFFIXES.includes(extname(path).toLowerCase());
  return { documents: paths.filter(isDocument), others: paths.filter((path) => !isDocument(path)) };
}

/**
 * Sends the documents of a folder. The `external_id` of a document is the path in the folder, so that
 * a changed file replaces its document at the next ingest.
 *
 * @param source stored in the metadata of the documents
 * @returns a report, and the documents of the files, by id
 */
export async function ingest(
  destination: Destination,
  folder: string,
  found: FoundFiles,
  source: string,
): Promise<{ report: IngestReport; documents: ReadonlyMap<string, SentDocument> }> {
  const report: IngestReport = { added: 0, unchanged: 0, skipped: [...found.others], failed: [] };
  const documents = new Map<string, SentDocument>();
  await withProgress('sent', found.documents, async (path) => {
    const file = relative(folder, path).split(sep).join('/');
    try {
      const content = await readFile(path);
      const title = readTitle(file, content) ?? basename(path);
      const sending = { path, file, title, content, source };
      const { document, outcome } = await destination.send(sending);
      documents.set(document.id, { file, document });
      report[outcome]++;
    } catch (error) {
      if (!(isRefusal(error) || isSystemError(error))) throw error;
      const reason = isRefusal(error) ? describeError(error) : error.message;
      report.failed.push({ file, reason });
    }
    return file;
  });
  return { report, documents };
}

/** For example, a file that is not readable, or was deleted meanwhile. */
const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'syscall' in error;

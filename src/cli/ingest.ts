import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { basename, extname, join, relative, sep } from 'node:path';
import { answer, type Latchkey, Refusal } from './client.js';
import { SOURCE_FIELD } from './delete-missing.js';
import type { components } from './latchkey.js';
import { withProgress } from './progress.js';
import { titleOf } from './title.js';

type Document = components['schemas']['DocumentDto'];

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
];

export interface Failure {
  readonly file: string;
  readonly reason: string;
}

export interface IngestReport {
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
export async function documentsIn(folder: string): Promise<FoundFiles> {
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
  client: Latchkey,
  kbId: string,
  folder: string,
  found: FoundFiles,
  source: string,
): Promise<{ report: IngestReport; documents: ReadonlyMap<string, SentDocument> }> {
  const report: IngestReport = { added: 0, unchanged: 0, skipped: [...found.others], failed: [] };
  const documents = new Map<string, SentDocument>();
  await withProgress('sent', found.documents, async (path) => {
    const file = relative(folder, path).split(sep).join('/');
    try {
      const { document, outcome } = await sendFile(client, kbId, path, file, source);
      documents.set(document.id, { file, document });
      report[outcome]++;
    } catch (error) {
      if (!(error instanceof Refusal || isSystemError(error))) throw error;
      report.failed.push({ file, reason: error.message });
    }
    return file;
  });
  return { report, documents };
}

/** @param file the path in the folder, which is the document's external id */
async function sendFile(
  client: Latchkey,
  kbId: string,
  path: string,
  file: string,
  source: string,
): Promise<{ document: Document; outcome: 'added' | 'unchanged' }> {
  const params = { path: { kb_id: kbId } };
  const content = await readFile(path);
  const { data } = await answer(
    client.GET('/api/v1/kbs/{kb_id}/documents', {
      params: { ...params, query: { external_id: file } },
    }),
  );
  const [existing] = data;
  if (existing?.sha256 === createHash('sha256').update(content).digest('hex')) {
    return { document: existing, outcome: 'unchanged' };
  }
  const title = titleOf(file, content) ?? basename(path);
  const form = new FormData();
  form.set('title', title);
  form.set('external_id', file);
  form.set('metadata', JSON.stringify(metadataFor(existing, source)));
  // Content that exists under another name is not added again.
  form.set('on_duplicate', existing ? 'replace' : 'skip');
  form.set('file', new Blob([content]), basename(path));
  const sending = client.POST('/api/v1/kbs/{kb_id}/documents', {
    params,
    // The form is the body; the client's types know the JSON body only.
    body: { title, text: '' },
    bodySerializer: () => form,
  });
  const document = await answer(sending);
  const { status } = (await sending).response;
  return { document, outcome: status === 202 ? 'added' : 'unchanged' };
}

/** Only documents created from a folder are marked; `--delete-missing` must not delete others. */
function metadataFor(existing: Document | undefined, source: string): Record<string, unknown> {
  const isFromFolder = !existing || existing.metadata[SOURCE_FIELD] !== undefined;
  return { ...existing?.metadata, ...(isFromFolder && { [SOURCE_FIELD]: source }) };
}

/** For example, a file that is not readable, or was deleted meanwhile. */
const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'syscall' in error;

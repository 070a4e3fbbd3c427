import { statSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import { readAllPages } from './client.js';
import { openKeySession, openSession, table, UsageError } from './commands.js';
import { deleteDocuments, findMissingDocuments, identifyFolder } from './delete-missing.js';
import type { Document } from '@latchkey/client';
import { ApiKeyDestination, KnowledgeBaseDestination } from './destination.js';
import { listDocumentFiles, type FoundFiles, ingest } from './ingest.js';
import { printable } from './printable.js';
import { waitUntilIndexed } from './wait.js';

interface IngestOptions {
  /** By default true in a terminal only. */
  wait?: boolean;
  deleteMissing?: boolean;
  yes?: boolean;
  source?: string;
  /** The encoding of text files. */
  charset?: string;
  /** Whether to use the key in LATCHKEY_API_KEY, which names the knowledge base. */
  apiKey?: boolean;
}

export async function ingestFolder(
  names: readonly string[],
  { wait = process.stdout.isTTY, deleteMissing = false, yes = false, ...options }: IngestOptions,
  command: Command,
): Promise<void> {
  const { client, print } = options.apiKey ? openKeySession(command) : openSession(command);
  const [kbId, folder] = options.apiKey ? [undefined, ...names] : names;
  if (names.length !== (options.apiKey ? 1 : 2) || folder === undefined) {
    throw new UsageError('name the knowledge base and the folder, with --api-key the folder alone');
  }
  const destination =
    kbId === undefined
      ? new ApiKeyDestination(client, options.charset)
      : new KnowledgeBaseDestination(client, kbId, options.charset);
  if (deleteMissing && !yes && !process.stdin.isTTY) {
    throw new UsageError('--delete-missing asks before it deletes: outside a terminal add --yes');
  }
  const found = await findFiles(folder);
  if (deleteMissing && found.documents.length === 0) {
    throw new UsageError(`${folder} has no documents, so --delete-missing would delete them all`);
  }
  const origin = options.source ?? identifyFolder(folder);
  const { report, documents } = await ingest(destination, folder, found, origin);
  const refused = report.failed.length;
  if (wait) report.ready = await waitUntilIndexed(destination, documents, report.failed);
  const isWhole = report.failed.length === 0;
  if (deleteMissing && isWhole) {
    const missing = await findMissingDocuments(destination, origin, documents);
    const isMeant = missing.length > 0 && (yes || (await confirmDeletion(missing)));
    report.deleted = isMeant ? await deleteDocuments(destination, missing) : [];
  }
  const { added, unchanged, skipped, failed, ready, deleted } = report;
  print(report, () => [
    `${added} sent, ${unchanged} as they were, ${skipped.length} of other types, ${refused} refused`,
    ...(ready === undefined ? [] : [`${ready} ready, ${failed.length - refused} failed`]),
    ...failed.flatMap(({ file, reason }) => `${printable(file)}: ${reason}`.split('\n')),
    ...(deleted?.map((file) => `${file}: deleted`) ?? []),
    ...(deleteMissing && !isWhole ? ['Nothing was deleted, since not all of it went well.'] : []),
  ]);
  if (!isWhole) process.exitCode = 1;
}

async function findFiles(folder: string): Promise<FoundFiles> {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new UsageError(`${folder} is not a folder`);
  }
  try {
    return await listDocumentFiles(folder);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${folder} cannot be read: ${reason}`);
  }
}

async function confirmDeletion(missing: readonly Document[]): Promise<boolean> {
  for (const { external_id: file } of missing) console.error(printable(String(file)));
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answered = await terminal.question(
    `Delete these from the knowledge base (${missing.length})? [y/N] `,
  );
  terminal.close();
  return /^y(es)?$/i.test(answered.trim());
}

export async function listDocuments(
  kbId: string,
  { status }: { status?: Document['status'] },
  command: Command,
): Promise<void> {
  const { client, print } = openSession(command);
  const rows = await readAllPages((page) =>
    client.get('/api/v1/kbs/{kb_id}/documents', {
      path: { kb_id: kbId },
      query: { ...page, ...(status && { status }) },
    }),
  );
  print(rows, () =>
    table(
      ['ID', 'STATUS', 'PASSAGES', 'LANGUAGE', 'EXTERNAL ID', 'TITLE'],
      rows.map((document) => [
        document.id,
        describeStatus(document),
        String(document.chunk_count),
        document.language ?? '-',
        document.external_id ?? '-',
        document.title,
      ]),
    ),
  );
}

/** Describes a status with the reason of a failure, or the number of warnings. */
function describeStatus({ status, error, warnings }: Document): string {
  if (error) return `${status} (${error.code})`;
  if (warnings.length === 0) return status;
  return `${status} (${warnings.length} ${warnings.length === 1 ? 'warning' : 'warnings'})`;
}

export async function deleteDocument(
  documentId: string,
  _: object,
  command: Command,
): Promise<void> {
  const { client, print } = openSession(command);
  const success = await client.delete('/api/v1/documents/{document_id}', {
    path: { document_id: documentId },
  });
  print(success, () => [`${documentId} is deleted.`]);
}

import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { basename, extname, join, relative, sep } from 'node:path';
import { SingleBar } from 'cli-progress';
import { answer, type Latchkey, Refusal } from './client.js';
import { printable } from './printable.js';

/** What the service reads; which of them a file is, it tells by the content. */
const SUFFIXES = ['.md', '.markdown', '.mdx', '.txt', '.html', '.htm', '.pdf', '.docx'];

const AT_ONCE = 4;

export interface IngestReport {
  added: number;
  unchanged: number;
  /** Files that are of no type the service is sent. */
  skipped: string[];
  failed: { file: string; reason: string }[];
}

/**
 * Sends the documents of a folder, under their paths in it as `external_id`: the next time, those
 * whose content changed take the place of what is there.
 */
export async function ingest(client: Latchkey, kbId: string, folder: string) {
  const report: IngestReport = { added: 0, unchanged: 0, skipped: [], failed: [] };
  const files: string[] = [];
  for (const path of await filesIn(folder)) {
    const readable = SUFFIXES.includes(extname(path).toLowerCase());
    (readable ? files : report.skipped).push(path);
  }
  const bar = new SingleBar({
    format: '{bar} {value}/{total} {file}',
    stream: process.stderr,
    hideCursor: true,
    // In the log of a pipeline: a line now and then.
    noTTYOutput: true,
    notTTYSchedule: 5000,
  });
  bar.start(files.length, 0, { file: '' });
  const send = async (path: string) => {
    const file = relative(folder, path).split(sep).join('/');
    try {
      const outcome = await sendFile(client, kbId, path, file);
      report[outcome]++;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      report.failed.push({ file, reason: error.message });
    }
    bar.increment({ file: printable(file) });
  };
  const queue = files.values();
  try {
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (const path of queue) await send(path);
      }),
    );
  } finally {
    bar.stop();
  }
  return report;
}

/** @param file its path in the folder, which is its name in the knowledge base */
async function sendFile(
  client: Latchkey,
  kbId: string,
  path: string,
  file: string,
): Promise<'added' | 'unchanged'> {
  const params = { path: { kb_id: kbId } };
  const content = await readFile(path);
  const { data } = await answer(
    client.GET('/api/v1/kbs/{kb_id}/documents', {
      params: { ...params, query: { external_id: file } },
    }),
  );
  const [existing] = data;
  if (existing?.sha256 === createHash('sha256').update(content).digest('hex')) return 'unchanged';
  const form = new FormData();
  form.set('title', basename(path));
  form.set('external_id', file);
  // The same content under another name stays there once.
  form.set('on_duplicate', existing ? 'replace' : 'skip');
  form.set('file', new Blob([content]), basename(path));
  const sending = client.POST('/api/v1/kbs/{kb_id}/documents', {
    params,
    // The form is the body; the client's types know the JSON one.
    body: { title: basename(path), text: '' },
    bodySerializer: () => form,
  });
  await answer(sending);
  return (await sending).response.status === 202 ? 'added' : 'unchanged';
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

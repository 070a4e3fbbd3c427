import { setTimeout as pause } from 'node:timers/promises';
import type { components } from '@latchkey/client';
import type { Command } from 'commander';
import { readAllPages, type Client } from './client.js';
import { createIdempotencyKey, openSession, table, UsageError } from './commands.js';

type NewSource = components['schemas']['CreateSourceDto'];
type Run = components['schemas']['SourceRunDto'];

const POLL_MS = 500;

/** A run did not end well. */
export class RunFailed extends Error {}

interface AddOptions {
  readonly name?: string;
  readonly config: Record<string, unknown>;
  readonly every?: number;
  readonly cron?: string;
  readonly timezone?: string;
  readonly onDelete?: NonNullable<NewSource['on_delete']>;
}

export async function addSource(
  kbId: string,
  type: NewSource['type'],
  { name = type, config, every, cron, timezone, onDelete }: AddOptions,
  command: Command,
): Promise<void> {
  const { client, print } = openSession(command);
  // Every user of the machine can read the arguments of a process.
  const secret = process.env['LATCHKEY_SOURCE_CREDENTIALS'];
  const schedule = {
    ...(every !== undefined && { every_minutes: every }),
    ...(cron !== undefined && { cron }),
    ...(timezone !== undefined && { timezone }),
  };
  const source = await client.post('/api/v1/kbs/{kb_id}/sources', {
    path: { kb_id: kbId },
    headers: createIdempotencyKey(),
    body: {
      type,
      name,
      config,
      ...(secret && { credentials: parseCredentials(secret) }),
      ...(Object.keys(schedule).length > 0 && { schedule }),
      ...(onDelete && { on_delete: onDelete }),
    },
  });
  print(source, () => [source.id]);
}

export async function listSources(kbId: string, _: object, command: Command): Promise<void> {
  const { client, print } = openSession(command);
  const rows = await readAllPages((query) =>
    client.get('/api/v1/kbs/{kb_id}/sources', { path: { kb_id: kbId }, query }),
  );
  print(rows, () =>
    table(
      ['ID', 'TYPE', 'NAME', 'STATE', 'IN STEP', 'NEXT RUN'],
      rows.map(({ id, type, name, state, last_synced_at: synced, next_run_at: next }) => [
        ...[id, type, name, state, synced ?? 'never', next ?? '-'],
      ]),
    ),
  );
}

/** Waits until the run has ended. */
export async function runSource(
  sourceId: string,
  { confirm = false, preview = false }: { confirm?: boolean; preview?: boolean },
  command: Command,
): Promise<void> {
  const { client, print } = openSession(command);
  const begun = await client.post('/api/v1/sources/{source_id}/run', {
    path: { source_id: sourceId },
    headers: createIdempotencyKey(),
    body: { ...(confirm && { confirm }), ...(preview && { preview }) },
  });
  const run = await waitUntilEnded(client, sourceId, begun);
  const counts = Object.entries(run.counts).map(([what, count]) => `${what} ${count}`);
  print(run, () => [
    `${preview ? 'a run would count: ' : ''}${counts.join(', ')}`,
    ...run.errors.map(({ key, code, message }) => `${key ?? 'the run'}: ${code}: ${message}`),
  ]);
  if (run.status === 'needs_confirmation') {
    throw new RunFailed('it asks before it deletes or opens documents: repeat it with --confirm');
  }
  if (run.status !== 'complete') throw new RunFailed(`the run is ${run.status}`);
}

export const previewSource = (sourceId: string, _: object, command: Command): Promise<void> =>
  runSource(sourceId, { preview: true }, command);

async function waitUntilEnded(client: Client, sourceId: string, begun: Run): Promise<Run> {
  for (;;) {
    const { data } = await client.get('/api/v1/sources/{source_id}/runs', {
      path: { source_id: sourceId },
      query: { limit: 100 },
    });
    const run = data.find(({ id }) => id === begun.id);
    if (!run) throw new RunFailed('the run is not among the latest ones any more');
    if (run.status !== 'running') return run;
    await pause(POLL_MS);
  }
}

function parseCredentials(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    throw new UsageError('LATCHKEY_SOURCE_CREDENTIALS must be a JSON object');
  }
}

import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { watchProcess } from '@latchkey/extraction/process-watch';
import type { ProgressLimits } from '@latchkey/extraction/progress-limit';
import { CharsetCheck } from '@latchkey/sources/declared-charset';
import {
  type OpenSource,
  type SourceContext,
  type SourceEntry,
  SourceError,
  type SourceKind,
} from '@latchkey/sources/source-kind';
import { boundedEntry, boundedReport, ListingSize } from './bounded-entry.js';
import { resolveHost } from './resolve-host.js';
import { SourceClient } from './source-client.js';
import type {
  SourceConnection,
  SourceMessage,
  SourceResults,
  SourceTask,
  SourceTaskName,
} from './source-messages.js';

// Connects to one source and reads it in a process of its own, because reading a server's data may take much
// time or memory.

const MAX_MEMORY = 1024 * 1024 * 1024;
/** A part is a response of the server, or a document. Waiting for a server takes no CPU time. */
const LIMITS: ProgressLimits = {
  cpuWithoutProgress: 20_000,
  wallWithoutProgress: 120_000,
  minCpuOfWall: 10_000,
  cpu: 300_000,
  cpuPerPart: 100,
  wall: Infinity,
};
/** A Git pack may have 256 MB; inflating and hashing 18 MB takes seconds. */
const GIT_LIMITS: ProgressLimits = {
  ...LIMITS,
  cpuWithoutProgress: 600_000,
  wallWithoutProgress: 3_600_000,
  cpu: 1_800_000,
};

/** The number of entries sent together, and how long the first one may wait for others. */
const BATCH = 100;
const BATCH_MS = 500;
const MAX_MESSAGE = 500;

const KINDS: Readonly<Record<string, () => Promise<SourceKind>>> = {
  confluence: async () => (await import('@latchkey/sources/confluence')).confluence,
  imap: async () => (await import('@latchkey/sources/imap')).imap,
  git: async () => (await import('@latchkey/sources/git')).git,
  s3: async () => (await import('@latchkey/sources/s3')).s3,
  webdav: async () => (await import('@latchkey/sources/webdav')).webdav,
  website: async () => (await import('@latchkey/sources/website')).website,
};

const type = process.argv[2] ?? '';
const watch = watchProcess(MAX_MEMORY, type === 'git' ? GIT_LIMITS : LIMITS);
const kind = await KINDS[type]?.();
if (!kind) throw new Error(`There are no sources of the type ${type}`);
await watch.ready;
watch.begin();

let source: OpenSource | undefined;
let entries: AsyncIterator<SourceEntry> | undefined;
let listingSize = new ListingSize(0);

const send = (message: SourceMessage) => process.send?.(message);

process.on('message', (task: SourceTask) => {
  void answer(kind, task);
});
send('started');

async function answer(sourceKind: SourceKind, task: SourceTask): Promise<void> {
  const { id } = task;
  try {
    send({ id, result: await carryOut(sourceKind, task) });
  } catch (error) {
    if (error instanceof SourceError) {
      const { code, message } = error;
      send({ id, failure: { code, message: message.slice(0, MAX_MESSAGE) } });
    } else {
      const text = error instanceof Error ? `${error.name}: ${error.message}` : typeof error;
      send({ id, error: text.slice(0, MAX_MESSAGE) });
    }
  }
}

async function carryOut(
  sourceKind: SourceKind,
  task: SourceTask,
): Promise<SourceResults[SourceTaskName]> {
  switch (task.name) {
    case 'test':
      await sourceKind.test(task.config, task.credentials, createContext(task));
      return null;
    case 'open':
      source = await sourceKind.open(task.config, task.credentials, createContext(task));
      entries = source.list()[Symbol.asyncIterator]();
      listingSize = new ListingSize(task.limits.maxEntries);
      return { parallelLoads: source.parallelLoads ?? 1, access: source.access };
    case 'sidecars':
      return boundedReport((await opened().readSidecars?.()) ?? null);
    case 'list':
      return nextEntries();
    case 'load': {
      const { body, charset: declared, ...described } = await opened().load(task.entry);
      const check = new CharsetCheck(declared);
      await pipeline(
        body,
        (parts: AsyncIterable<Buffer>) => check.checkParts(parts),
        createWriteStream(task.path),
      );
      watch.progress();
      const { charset } = check;
      return { ...described, ...(charset !== undefined && { charset }) };
    }
    case 'isGone':
      return (await opened().isGone?.(task.key)) !== false;
  }
}

function opened(): OpenSource {
  if (!source) throw new Error('The source was not opened');
  return source;
}

async function nextEntries(): Promise<SourceResults['list']> {
  const batch: SourceEntry[] = [];
  const rules = new Set<SourceEntry['access']>();
  const startedAt = performance.now();
  while (batch.length < BATCH && performance.now() - startedAt < BATCH_MS) {
    const next = await entries?.next();
    if (!next || next.done === true) return { entries: batch, isWhole: true };
    const entry = boundedEntry(next.value);
    listingSize.add(entry, rules);
    batch.push(entry);
  }
  watch.progress();
  return { entries: batch, isWhole: false };
}

function createContext(connection: SourceConnection): SourceContext {
  const { limits, workFolder, runFolder, userAgent, allowPrivate } = connection;
  // The signal is never aborted: cancelling a run ends the process.
  const { signal } = new AbortController();
  const client = new SourceClient({ allowPrivate, userAgent, signal });
  return {
    ...{ signal, limits, workFolder, runFolder, userAgent },
    fetch: async (url, init) => {
      const response = await client.fetch(url, init);
      watch.progress();
      return response;
    },
    resolve: (host) => resolveHost(host, allowPrivate),
    warn: (message) => send({ warning: message.slice(0, MAX_MESSAGE) }),
    found: (count) => send({ found: count }),
  };
}

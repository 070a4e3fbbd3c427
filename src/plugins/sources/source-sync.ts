import { Injectable } from '@nestjs/common';
import { AccessPaths } from '@latchkey/sources/access-paths';
import { SettledSidecars, SIDECAR } from '@latchkey/sources/settled-sidecars';
import { type OpenSource, type SourceEntry, SourceError } from '@latchkey/sources/source-kind';
import { Config } from '../../platform/config/config.js';
import type { Lease } from '../../knowledge-bases/job-queue.js';
import { Problem } from '../../platform/problems/problem.js';
import { planRun, type RunPlan } from './run-plan.js';
import { RefusedDocuments } from './refused-documents.js';
import { SourceConnections } from './source-connections.js';
import { SourceCredentials } from './source-credentials.js';
import { hasOtherContent, SourceDocuments, type SyncTarget } from './source-documents.js';
import { findWorkFolder } from './source-folders.js';
import { SourceKinds } from './source-kinds.js';
import { SourceRunQueue } from './source-run-queue.js';
import { SourceRuns } from './source-runs.js';
import type { RunCounts, RunError, SourceRun } from './source-run.entity.js';
import type { Source } from './source.entity.js';

const MAX_ERRORS = 100;
const MAX_KEY = 1000;
/** A run is given up after the server fails for so many documents in a row. */
const MAX_FAILURES_IN_A_ROW = 20;
const SERVER_FAILURES: ReadonlySet<string> = new Set(['unreachable', 'unauthorized', 'throttled']);

const ACCESS_UNREADABLE = {
  code: 'access_unreadable',
  message: 'The source does not tell who may read it.',
};

type Ending = 'complete' | 'needs_confirmation';

/** A run that a process is working on. */
interface RunningSync {
  readonly source: Source;
  readonly lease: Lease<SourceRun>;
  /** Aborted if the lease is lost, the time is up or the service stops. */
  readonly signal: AbortSignal;
  readonly counts: RunCounts;
  readonly errors: RunError[];
}

/** Carries out a run: lists the source, deletes what is gone, and loads what has changed. */
@Injectable()
export class SourceSync {
  constructor(
    private readonly kinds: SourceKinds,
    private readonly connections: SourceConnections,
    private readonly credentials: SourceCredentials,
    private readonly documents: SourceDocuments,
    private readonly queue: SourceRunQueue,
    private readonly runs: SourceRuns,
    private readonly config: Config,
  ) {}

  /** @throws SourceError if the source cannot be read. Nothing is deleted unless the listing was complete. */
  async run(sync: RunningSync): Promise<Ending> {
    const { source } = sync;
    const credentials = this.credentials.open(source);
    if (credentials === undefined) {
      throw new SourceError(
        'unauthorized',
        'The credentials cannot be decrypted. Enter them again.',
      );
    }
    if (!this.kinds.findKind(source.type)) {
      throw new SourceError('unreadable', 'The service does not support this type of source.');
    }
    const workFolder = findWorkFolder(this.config, source.id);
    const warn = (message: string) => {
      addError(sync, { key: null, code: 'left_out', message });
    };
    const { counts } = sync;
    counts.listed = 0;
    const found = (count: number) => {
      counts.listed = Math.max(counts.listed ?? 0, count);
    };
    const options = { signal: sync.signal, warn, found, workFolder };
    const { type, config } = source;
    const open = await this.connections.open(type, config, credentials, options);
    const refused = await RefusedDocuments.read(workFolder);
    try {
      return await this.synchronize(sync, open, refused, found);
    } finally {
      await Promise.all([open.close?.(), refused.save()]);
    }
  }

  private async synchronize(
    sync: RunningSync,
    source: OpenSource,
    refused: RefusedDocuments,
    found: (count: number) => void,
  ): Promise<Ending> {
    const { lease, counts } = sync;
    const { isPreview, isConfirmed } = lease.row;
    // The confirmation does not cover questions that an earlier process raised in this run.
    const confirmsPaths = isConfirmed && lease.job.attempts === 1;
    const settled = sync.source.accessPaths ?? {};
    const paths = new AccessPaths(source.access, settled, confirmsPaths);
    const report = await source.readSidecars?.();
    const sidecars = new SettledSidecars(report, settled, confirmsPaths);
    const rules = [paths, sidecars];
    const plan = await planRun(source, this.documents, sync.source.id, rules, found);
    if (plan.listed === 0) {
      throw new SourceError('incomplete_listing', 'The listing is empty, so nothing was changed.');
    }
    const gone = sync.source.onDelete === 'delete' ? plan.gone : [];
    const asks = plan.needsConfirmation && gone.length > 0 && !isConfirmed;
    const target = this.toSyncTarget(sync);
    noteQuestions(sync, plan, paths, asks ? gone.length : 0);
    for (const error of sidecars.errors) addError(sync, error);
    if (!isPreview && (source.access || report)) {
      const now = { ...paths.settledPaths, ...sidecars.settledPaths };
      await this.runs.settlePaths(lease, sync.source.config, now);
    }
    // Rules are stored before anything that may fail or wait, so that withdrawn access ends at once.
    let held = 0;
    if (!isPreview) {
      await this.putRules(sync, target, plan);
      held = await this.moveAll(sync, target, plan);
    }
    for (const { key, unavailable: message = '' } of plan.unavailable) {
      addError(sync, { key, code: 'unreachable', message });
    }
    counts.failed = plan.unavailable.length + held;
    const added = withoutRefused(sync, plan.added, refused);
    const changed = withoutRefused(sync, plan.changed, refused);
    const { unchanged } = plan;
    const inPlace = plan.onlyRules + plan.moved.length - held;
    if (isPreview || asks) {
      Object.assign(counts, { added: added.length, changed: changed.length + inPlace });
      Object.assign(counts, { deleted: gone.length, unchanged });
      return isPreview ? 'complete' : 'needs_confirmation';
    }
    // Documents that an earlier process loaded in this run count as unchanged in the plan.
    counts.unchanged = Math.max(0, unchanged - counts.added - counts.changed);
    counts.changed += inPlace;
    // Deleted first: loading may take hours and fail, and no answer may use what is gone at the source.
    await this.remove(sync, target, plan.gone);
    await this.loadAll(sync, source, target, { ...plan, changed, added }, refused);
    if (counts.failed > 0 && counts.added + counts.changed + unchanged === 0) {
      throw new SourceError('unreadable', 'No document of the source could be read.');
    }
    return plan.held.size > 0 ? 'needs_confirmation' : 'complete';
  }

  private async remove(sync: RunningSync, target: SyncTarget, gone: readonly string[]) {
    if (sync.source.onDelete === 'keep') return this.documents.keepRules(target, gone);
    try {
      await this.documents.remove(target, gone, (deleted) => {
        sync.counts.deleted += deleted;
      });
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'legal_hold') throw error;
      addError(sync, { key: null, ...describeFailure(error) });
      await this.documents.keepRules(target, gone);
    }
  }

  private async putRules(sync: RunningSync, target: SyncTarget, plan: RunPlan) {
    for (const changed of plan.otherRules) {
      sync.signal.throwIfAborted();
      await this.documents.putRule(target, changed);
      // The others are reported when they are loaded.
      if (!hasOtherContent(changed)) noteUnreadable(sync, plan, changed.entry);
    }
  }

  /** @returns the number of documents that a legal hold keeps in place */
  private async moveAll(sync: RunningSync, target: SyncTarget, plan: RunPlan) {
    let held = 0;
    for (const one of plan.moved) {
      sync.signal.throwIfAborted();
      const { key } = one.entry;
      try {
        await this.documents.move(target, one);
      } catch (error) {
        if (!(error instanceof Problem) || error.code !== 'legal_hold') throw error;
        addError(sync, { key, ...describeFailure(error) });
        held += 1;
      }
      noteUnreadable(sync, plan, one.entry);
    }
    return held;
  }

  private async loadAll(
    sync: RunningSync,
    source: OpenSource,
    target: SyncTarget,
    plan: RunPlan,
    refused: RefusedDocuments,
  ): Promise<void> {
    const { counts, signal } = sync;
    const entries = [...plan.changed, ...plan.added].values();
    let failuresInARow = 0;
    let isQuotaReached = false;
    // All workers take from the same iterator.
    const loadNext = async () => {
      for (const entry of entries) {
        signal.throwIfAborted();
        // The document is not loaded, because it would be refused like the one before.
        if (isQuotaReached) {
          counts.failed++;
          continue;
        }
        try {
          counts[await this.load(source, target, entry)]++;
          noteUnreadable(sync, plan, entry);
          failuresInARow = 0;
        } catch (error) {
          signal.throwIfAborted();
          const { code, message } = describeFailure(error);
          counts.failed++;
          addError(sync, { key: entry.key, code, message });
          refused.add(entry, { code, message });
          isQuotaReached = code === 'quota_reached';
          failuresInARow = SERVER_FAILURES.has(code) ? failuresInARow + 1 : 0;
          if (failuresInARow >= MAX_FAILURES_IN_A_ROW || source.isOver === true) throw error;
        }
      }
    };
    await Promise.all(Array.from({ length: source.parallelLoads ?? 1 }, loadNext));
  }

  private async load(
    source: OpenSource,
    target: SyncTarget,
    entry: SourceEntry,
  ): Promise<'added' | 'changed' | 'unchanged'> {
    if ((entry.size ?? 0) > this.config.MAX_UPLOAD_BYTES) {
      throw new SourceError('too_large', 'The document is too large.');
    }
    return this.documents.put(target, entry, await source.load(entry));
  }

  private toSyncTarget({ source: { id: sourceId, kbId }, lease }: RunningSync): SyncTarget {
    return {
      kbId,
      sourceId,
      actor: { id: sourceId, requestId: lease.row.id },
      authorize: async (manager) => {
        const held = await this.queue.lockHeld(manager, [lease]);
        if (held.size === 0) throw new Problem('not_found');
      },
    };
  }
}

/** Notes what a user must review and may confirm. */
function noteQuestions(
  sync: RunningSync,
  { held }: RunPlan,
  paths: AccessPaths,
  unconfirmed: number,
): void {
  if (held.size > 0) {
    const message = `${formatCount(held.size)} cannot be read by anybody, because a path of config.access, or a ${SIDECAR}, may be meant for them. Correct it, or confirm the run.`;
    addError(sync, { key: null, code: 'held_back', message });
  }
  if (unconfirmed > 0) {
    const message = `${formatCount(unconfirmed)} would be deleted. Confirm the run to delete them.`;
    addError(sync, { key: null, code: 'deletions_unconfirmed', message });
  }
  for (const path of paths.unmatched) {
    const [alike] = paths.findAlike(path);
    const hint = alike === undefined ? '' : `, but at ${alike}`;
    const message = `No document is at this path of config.access${hint}.`;
    addError(sync, { key: path, code: 'access_path_unmatched', message });
  }
}

const formatCount = (count: number) => (count === 1 ? '1 document' : `${count} documents`);

function noteUnreadable(sync: RunningSync, { held }: RunPlan, entry: SourceEntry): void {
  if (entry.access !== 'unreadable' || held.has(entry)) return;
  addError(sync, { key: entry.key, ...ACCESS_UNREADABLE });
}

/** Removes entries that were refused before, and counts them as failed. */
function withoutRefused(
  sync: RunningSync,
  entries: readonly SourceEntry[],
  refused: RefusedDocuments,
): SourceEntry[] {
  return entries.filter((entry) => {
    const refusal = refused.findRefusal(entry);
    if (!refusal) return true;
    sync.counts.failed++;
    addError(sync, { key: entry.key, ...refusal });
    return false;
  });
}

function addError({ errors }: RunningSync, error: RunError): void {
  const key = error.key?.slice(0, MAX_KEY) ?? null;
  if (errors.length < MAX_ERRORS) errors.push({ ...error, key });
}

/** Describes why a document failed. @throws errors that the document did not cause */
function describeFailure(error: unknown): { code: string; message: string } {
  if (error instanceof SourceError) return error;
  if (error instanceof Problem && error.code !== 'not_found' && error.getStatus() < 500) {
    const { detail } = error.toBody('') as { detail: string };
    return { code: error.code, message: detail };
  }
  throw error;
}

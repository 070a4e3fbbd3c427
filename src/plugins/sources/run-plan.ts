import { setImmediate as nextTurn } from 'node:timers/promises';
import type { OpenSource, SourceEntry } from '@latchkey/sources/source-kind';
import { findMoved } from './find-moved.js';
import {
  type ChangedEntry,
  hasOtherContent,
  hasOtherRule,
  type KnownDocument,
  type SourceDocuments,
  storedKey,
} from './source-documents.js';

const BATCH = 500;
/** Entries compared with the access map before other requests have their turn. */
const SLICE = 200;
/** A run that would delete a larger share, and more than one document, needs confirmation. */
const MAX_DELETED_SHARE = 0.1;

type Hold = 'new' | 'all';

/** Rules that may be meant for other documents than they name; see AccessPaths and SettledSidecars. */
interface DoubtfulRules {
  /** Whether even unchanged documents may have to be held back. */
  readonly mayHoldAll: boolean;
  addDocument(key: string): void;
  decideHolds(): ((key: string) => Hold | undefined) | undefined;
}

/** The work of a run after the source was listed. */
export interface RunPlan {
  /** New documents to load. */
  readonly added: SourceEntry[];
  readonly changed: SourceEntry[];
  /** Documents with the same content at another place. */
  readonly moved: ChangedEntry[];
  /** Documents whose access rule changed; some of these are in `changed`, too. */
  readonly otherRules: ChangedEntry[];
  /** The number of `otherRules` whose content is unchanged. */
  readonly onlyRules: number;
  /** The ids of documents that are gone at the source. */
  readonly gone: string[];
  readonly unchanged: number;
  /** Nobody can read these until a user confirms that no rule of the access map or of a sidecar means them. */
  readonly held: ReadonlySet<SourceEntry>;
  /** Documents that exist but could not be accessed. */
  readonly unavailable: SourceEntry[];
  readonly listed: number;
  /** Whether `gone` is so large that a user must confirm the run. */
  readonly needsConfirmation: boolean;
}

/**
 * Lists a source and compares its versions with the documents that come from it. Of unchanged documents only
 * the keys are kept in memory.
 *
 * @throws SourceError if the listing is incomplete
 */
export async function planRun(
  source: OpenSource,
  documents: SourceDocuments,
  sourceId: string,
  rules: readonly DoubtfulRules[],
  found: (count: number) => void,
): Promise<RunPlan> {
  const seen = new Set<string>();
  const listedAnew: SourceEntry[] = [];
  const pairs: ChangedEntry[] = [];
  const unavailable: SourceEntry[] = [];
  const compare = async (batch: readonly SourceEntry[]) => {
    const mayHoldAll = rules.some((one) => one.mayHoldAll);
    const known = await documents.findKnown(
      sourceId,
      batch.map(({ key }) => storedKey(key)),
    );
    for (const entry of batch) {
      const document = known.get(storedKey(entry.key));
      if (!document) {
        listedAnew.push(entry);
        continue;
      }
      const pair = { entry, known: document };
      if (mayHoldAll || hasOtherContent(pair) || hasOtherRule(pair)) pairs.push(pair);
    }
  };
  let batch: SourceEntry[] = [];
  for await (const entry of source.list()) {
    const key = storedKey(entry.key);
    // A paged listing may repeat an entry if others are added in between.
    if (seen.has(key)) continue;
    seen.add(key);
    for (const one of rules) one.addDocument(entry.key);
    found(seen.size);
    if (entry.unavailable !== undefined) unavailable.push(entry);
    else batch.push(entry);
    if (batch.length < BATCH) continue;
    await compare(batch);
    batch = [];
  }
  if (batch.length > 0) await compare(batch);
  const decided = rules.flatMap((one) => one.decideHolds() ?? []);
  const held = new Set<SourceEntry>();
  const withHold = (entry: SourceEntry, hasSameRule: boolean): SourceEntry => {
    const holds = decided.map((findHold) => findHold(entry.key));
    const isHeld = holds.includes('all') || (holds.includes('new') && !hasSameRule);
    if (!isHeld) return entry;
    const closed = { ...entry, access: 'unreadable' as const };
    held.add(closed);
    return closed;
  };
  const added = await mapInSlices(listedAnew, (entry) => withHold(entry, false));
  const compared = await mapInSlices(pairs, ({ entry, known }) => ({
    entry: withHold(entry, !hasOtherRule({ entry, known })),
    known,
  }));
  const changed = compared.filter(hasOtherContent).map(({ entry }) => entry);
  const otherRules = compared.filter(hasOtherRule);
  const onlyRules = otherRules.filter((pair) => !hasOtherContent(pair)).length;
  const missing: KnownDocument[] = [];
  let total = 0;
  for await (const document of documents.readAll(sourceId)) {
    const { sourceKey } = document;
    total++;
    if (sourceKey === null || seen.has(sourceKey)) continue;
    // A paged listing may also miss an entry.
    if ((await source.isGone?.(sourceKey)) !== false) missing.push(document);
  }
  const moved = findMoved(added, missing);
  const movedFrom = new Set(moved.map(({ known }) => known));
  const movedTo = new Set(moved.map(({ entry }) => entry));
  const gone = missing.filter((known) => !movedFrom.has(known)).map(({ id }) => id);
  return {
    added: added.filter((entry) => !movedTo.has(entry)),
    changed,
    moved,
    otherRules,
    onlyRules,
    gone,
    unavailable,
    held,
    unchanged: seen.size - added.length - changed.length - onlyRules - unavailable.length,
    listed: seen.size,
    needsConfirmation: deletesTooMuch(gone.length, total),
  };
}

/** Whether a run would delete so many of the documents of its source that a user must confirm it. */
export const deletesTooMuch = (gone: number, total: number): boolean =>
  gone > 1 && gone > total * MAX_DELETED_SHARE;

/** Maps many values without blocking other work of the service. */
async function mapInSlices<T, U>(values: readonly T[], map: (value: T) => U): Promise<U[]> {
  const mapped: U[] = [];
  for (const [index, value] of values.entries()) {
    if (index % SLICE === SLICE - 1) await nextTurn();
    mapped.push(map(value));
  }
  return mapped;
}

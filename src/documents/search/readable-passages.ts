import type { Visibility } from '@latchkey/ranking/index-reader';
import { type MetadataFilter, hashFilter } from '@latchkey/ranking/metadata-filter';
import type { SearchScope } from '@latchkey/ranking/search-index';
import type { PostingList } from '@latchkey/ranking/posting-block';
import { parseJson } from '@latchkey/text/parse-json';
import {
  HAS_NEW_RULE,
  sqlHasSets,
  sqlIsClosed,
  withEveryone,
} from '../../knowledge-bases/access-rules/readable-sql.js';
import type { IndexReadStore } from './index-store.js';
import type { RemovedPassage } from './index-writer.js';
import { selectChangedByTime, sqlHasLimited, sqlIsValid } from './validity.js';
import { PostingCache } from './posting-cache.js';
import { ReadableSets } from './readable-sets.js';
import { type RuledPassageRow, RuledPassages } from './ruled-passages.js';

/** The maximum size of what a thread remembers, beside the current knowledge base and filter. */
const MAX_REMEMBERED_BYTES = 64 * 1024 * 1024;
/** The minimum size counted per entry, so that there are not too many small ones. */
const LEAST_BYTES = 64 * 1024;
/** The number of passages per statement, so that work done before a deadline is kept. */
const BATCH = 10_000;
/** The number of index transactions read at a time. */
const CHANGES = 50;

interface StateRow {
  /** The version of all access rules. */
  readonly accessVersion: number;
  /** The version of the assignment of rules and metadata to documents. */
  readonly version: number;
  /** The serial number of the last change of the index; null for none. */
  readonly serial: number | null;
  readonly closed: boolean | 0 | 1;
  readonly hasSets: boolean | 0 | 1;
  /** Whether there are documents whose validity is limited. */
  readonly hasLimited: boolean | 0 | 1;
  /** The moment of the state, as text whose order is that of time. */
  readonly now: string;
}

interface ChangeRow {
  readonly serial: number;
  readonly added: string;
  readonly removed: string;
}

/** What a thread has read so far. */
interface Remembered {
  readonly filter: MetadataFilter | undefined;
  passages: RuledPassages;
  version: number;
  serial: number;
  /** The moment at which validity was last compared. */
  validAt: string;
  /** The number from which the initial read continues; undefined once it is complete. */
  next: number | undefined;
  /** Concurrent searches may update the same entry; the second one to finish reads again. */
  step: number;
}

/** By knowledge base and filter, least recently used first. */
const remembered = new Map<string, Remembered>();
const readableSets = new ReadableSets();
const postingCache = new PostingCache();

const NOTHING: StateRow = {
  accessVersion: 0,
  version: 0,
  serial: null,
  closed: false,
  hasSets: false,
  hasLimited: false,
  now: '',
};

const countBytes = ({ passages }: Remembered): number => LEAST_BYTES + passages.bytes;

const isBehind = (state: StateRow, one: Remembered): boolean =>
  (state.serial ?? 0) < one.serial || state.version < one.version;

/** Whether a passage `p` belongs to content of its document `d` that is no longer shown. */
const IS_OLD = `d.state <> 'active' OR p.version <= d.closed_version
  OR p.version < COALESCE(d.version, 0)`;

const columns = (isClosed: string) => `CAST(p.number AS float8) AS number, s.tokens,
  COALESCE(s.language, '') AS language, d.access_set_id AS "setId", ${isClosed} AS "isClosed"`;

/**
 * The passages of a knowledge base, or of its documents that match a filter, that access rules let a
 * reader see. The thread remembers the access set of each passage for all readers, and then reads only
 * what has changed in the index, the rules and the metadata.
 */
export class ReadablePassages {
  private state: Promise<StateRow> | undefined;
  private sets: Promise<Set<string | null>> | undefined;
  /** The state under which `postings` may use the cache. */
  private scored:
    { readonly key: string; readonly one: Remembered; readonly serial: number } | undefined;
  private hasBegun = false;
  /** Each says whether passages were removed from a visibility of this search. */
  private readonly removalWatches: (() => boolean)[] = [];

  constructor(
    private readonly store: IndexReadStore,
    private readonly kbId: string,
    private readonly scope: Omit<SearchScope, 'filter'>,
    private readonly maxBytes = MAX_REMEMBERED_BYTES,
  ) {}

  /** Runs even after the deadline: without it nothing could be found. */
  async hasRules(): Promise<boolean> {
    const { closed, hasSets, hasLimited } = await this.currentState();
    const hidesInvalid = !this.scope.includesInvalid && Boolean(hasLimited);
    return Boolean(closed) || Boolean(hasSets) || hidesInvalid;
  }

  /**
   * Returns the access sets that the reader may read; null stands for no rule. Runs even after the
   * deadline.
   */
  setIds(): Promise<Set<string | null>> {
    this.sets ??= this.readSets();
    return this.sets;
  }

  /** Begins a search. If it is the second of this reader, changes in the meantime are noticed. */
  begin(): void {
    if (this.hasBegun) [this.state, this.sets, this.scored] = [undefined, undefined, undefined];
    this.hasBegun = true;
    this.removalWatches.length = 0;
  }

  /** Whether another search noticed during this one that passages were removed or replaced. */
  isStale(): boolean {
    return this.removalWatches.some((wereRemoved) => wereRemoved());
  }

  /** Returns what the search sees, after which `postings` may use the cache. */
  async seen(filter: MetadataFilter | undefined): Promise<Visibility> {
    const visibility = await this.visibility(filter);
    const key = this.toKey(filter);
    const one = remembered.get(key);
    this.scored = one && { key, one, serial: (await this.currentState()).serial ?? 0 };
    return visibility;
  }

  /** Returns the visible passages, of all documents or of those that match the filter. */
  async visibility(filter: MetadataFilter | undefined): Promise<Visibility> {
    // Read before the passages: the next search notices a change in between.
    const state = await this.currentState();
    const setIds = await this.setIds();
    const one = this.getRemembered(state, filter);
    while (await this.readOnce(one, state));
    return this.select(one, setIds);
  }

  /**
   * Like `visibility`, but reads only a part of many passages each time, and returns undefined until
   * all are read.
   */
  async known(filter: MetadataFilter): Promise<Visibility | undefined> {
    const state = await this.currentState();
    const setIds = await this.setIds();
    const one = this.getRemembered(state, filter);
    for (let parts = 1; one.next === undefined || parts-- > 0;) {
      if (!(await this.readOnce(one, state))) return this.select(one, setIds);
    }
    return undefined;
  }

  private select({ passages }: Remembered, setIds: Set<string | null>): Visibility {
    this.removalWatches.push(passages.watchRemovals());
    return passages.selectReadable(setIds);
  }

  /**
   * Returns the postings of each stem, from the cache where possible.
   *
   * @param read reads the postings of stems from the given numbers on, and possibly some before them
   */
  async postings(
    stems: readonly string[],
    read: (stems: readonly string[], from: readonly number[]) => Promise<PostingList[]>,
  ): Promise<PostingList[]> {
    const { scored, kbId } = this;
    if (!scored) {
      return read(
        stems,
        stems.map(() => 0),
      );
    }
    const { key, one, serial } = scored;
    const { step } = one;
    const isCurrent = () =>
      remembered.get(key) === one && one.step === step && one.serial === serial;
    return postingCache.get(kbId, stems, read, isCurrent);
  }

  private currentState(): Promise<StateRow> {
    this.state ??= this.readState();
    return this.state;
  }

  private async readState(): Promise<StateRow> {
    const { ofIndex, nowAsText } = this.store.dialect;
    const [state = NOTHING] = await this.store.query<StateRow>(
      `SELECT CAST(kb.access_version AS float8) AS "accessVersion",
         CAST(kb.document_rules_version AS float8) AS version,
         (SELECT CAST(max(serial) AS float8) FROM search_changes WHERE ${ofIndex}) AS serial,
         ${sqlIsClosed('$1')} AS closed, ${sqlHasSets('$1')} AS "hasSets",
         ${sqlHasLimited('$1')} AS "hasLimited",
         ${nowAsText} AS now
       FROM knowledge_bases kb WHERE kb.id = $1`,
      [this.kbId],
    );
    return state;
  }

  private async readSets(): Promise<Set<string | null>> {
    const { closed, hasSets, accessVersion } = await this.currentState();
    const { isIn, list } = this.store.dialect;
    const readers = withEveryone(this.scope.principals);
    const read = () =>
      this.store.query<{ id: string }>(
        `SELECT set_id AS id FROM access_entries WHERE kb_id = $1 AND ${isIn('principal', '$2')}
         GROUP BY set_id HAVING min(effect) = 'allow' AND max(effect) = 'allow'`,
        [this.kbId, list(readers)],
      );
    const rows = hasSets
      ? await readableSets.get(JSON.stringify([this.kbId, ...readers]), accessVersion, read)
      : [];
    return new Set([...rows.map(({ id }) => id), ...(closed ? [] : [null])]);
  }

  private getRemembered(state: StateRow, filter: MetadataFilter | undefined): Remembered {
    const key = this.toKey(filter);
    const one = remembered.get(key) ?? this.createRemembered(state, filter);
    remembered.delete(key);
    remembered.set(key, one);
    let bytes = 0;
    for (const each of remembered.values()) bytes += countBytes(each);
    for (const [oldest, each] of remembered) {
      if (bytes <= this.maxBytes || oldest === key) break;
      remembered.delete(oldest);
      bytes -= countBytes(each);
    }
    return one;
  }

  /** @returns whether there may be more to read */
  private async readOnce(one: Remembered, state: StateRow): Promise<boolean> {
    const { step } = one;
    const apply = await this.readFurther(one, state);
    if (!apply) return false;
    if (one.step === step) {
      apply();
      one.step++;
    }
    return true;
  }

  private createRemembered(
    { version, serial, now }: StateRow,
    filter: MetadataFilter | undefined,
  ): Remembered {
    // Otherwise the cache has heard of all changes up to this serial number.
    const isNew = ![...remembered].some(
      ([key, one]) => key.startsWith(this.kbId) && one.serial === serial,
    );
    if (isNew) postingCache.invalidate(this.kbId, 0);
    const passages = new RuledPassages();
    const since = { version, serial: serial ?? 0, validAt: now };
    return { filter, passages, ...since, next: 0, step: 0 };
  }

  /** @returns undefined if there is nothing more to read */
  private async readFurther(one: Remembered, state: StateRow): Promise<(() => void) | undefined> {
    const { next, filter } = one;
    const serial = state.serial ?? 0;
    if (next !== undefined) {
      const last = await this.findEndOfBatch(next);
      const rows = await this.readRowsBetween(next, last ?? Infinity, filter);
      return () => {
        one.passages.add(rows);
        one.next = last && last + 1;
      };
    }
    const readAgain = (current: StateRow) => () => {
      one.passages.noteRemoval();
      Object.assign(one, { ...this.createRemembered(current, filter), step: one.step });
    };
    if (isBehind(state, one)) {
      // Another search has read further, or a server that took over lacks the last commits.
      const known = { ...one };
      const current = await this.readState();
      if (isBehind(current, known)) return readAgain(current);
    }
    if (one.serial < serial) {
      const changes = await this.readChangesAfter(one.serial);
      // Older changes are no longer kept, or the index was rebuilt.
      if (changes[0]?.serial !== one.serial + 1) return readAgain(state);
      const removed = changes.flatMap((change) => parseJson(change.removed) as RemovedPassage[]);
      const added = changes.flatMap((change) => parseJson(change.added) as number[]);
      const rows = await this.readRows(added, filter);
      return () => {
        one.passages.remove(removed);
        one.passages.add(rows);
        one.serial = changes.at(-1)?.serial ?? serial;
        const numbers = [...added, ...removed.map(([number]) => number)];
        postingCache.invalidate(this.kbId, Math.min(...numbers));
      };
    }
    if (one.version < state.version) {
      const rows = await this.readRowsChangedAfter(one.version, filter);
      if (rows.length === BATCH) return readAgain(state);
      return () => {
        one.passages.add(rows);
        one.version = state.version;
      };
    }
    if (state.hasLimited && !this.scope.includesInvalid && one.validAt < state.now) {
      const rows = await this.readRowsChangedByTime(one.validAt, state.now, filter);
      if (rows.length === BATCH) return readAgain(state);
      return () => {
        one.passages.add(rows);
        one.validAt = state.now;
      };
    }
    return undefined;
  }

  /** @returns the number of the last passage of a batch; undefined if it is the last batch */
  private async findEndOfBatch(number: number): Promise<number | undefined> {
    const { interruptible } = this.store.dialect;
    const [row] = await this.store.queryUntilDeadline<{ number: number }>(
      `SELECT CAST(number AS float8) AS number FROM passages
       WHERE kb_id = $1 AND number >= $2 AND ${interruptible('number')}
       ORDER BY number LIMIT 1 OFFSET ${BATCH - 1}`,
      [this.kbId, number],
    );
    return row?.number;
  }

  /** Checks each document once, however many passages it has. */
  private readRowsBetween(first: number, last: number, filter: MetadataFilter | undefined) {
    const { join, interruptible } = this.store.dialect;
    const end = Math.min(last, Number.MAX_SAFE_INTEGER);
    const { values, matches } = this.condition(filter, [this.kbId, first, end]);
    return this.store.queryUntilDeadline<RuledPassageRow>(
      `WITH part AS MATERIALIZED (
         SELECT DISTINCT document_id FROM passages WHERE kb_id = $1 AND number BETWEEN $2 AND $3)
       SELECT ${columns('FALSE')} FROM part ${join} documents d ON d.id = part.document_id
         ${join} passages p ON p.document_id = d.id AND p.number BETWEEN $2 AND $3
         ${join} search_passages s ON s.passage_number = p.number
       WHERE ${matches} AND NOT (${this.isClosed}) AND ${interruptible('d.rowid')}`,
      values,
    );
  }

  /** Reads the passages of documents that became valid, or ceased to be, in a period. */
  private readRowsChangedByTime(after: string, until: string, filter: MetadataFilter | undefined) {
    const { join, moment, interruptible } = this.store.dialect;
    const { values, matches } = this.condition(filter, [this.kbId, after, until]);
    const isWithin = (column: string) =>
      `${column} > ${moment('$2')} AND ${column} <= ${moment('$3')}`;
    return this.store.queryUntilDeadline<RuledPassageRow>(
      `WITH changed AS MATERIALIZED (${selectChangedByTime('$1', isWithin)})
       SELECT ${columns(`${this.isClosed} OR NOT ${matches}`)} FROM changed
         ${join} documents d ON d.id = changed.id
         ${join} passages p ON p.document_id = d.id
         ${join} search_passages s ON s.passage_number = p.number
       WHERE ${interruptible('p.number')} LIMIT ${BATCH}`,
      values,
    );
  }

  /** SQL: whether a passage `p` is hidden from the reader, whatever the rules say. */
  private get isClosed(): string {
    const { now } = this.store.dialect;
    return this.scope.includesInvalid ? IS_OLD : `${IS_OLD} OR NOT ${sqlIsValid('d', now)}`;
  }

  private toKey(filter: MetadataFilter | undefined): string {
    const scope = this.scope.includesInvalid ? `${this.kbId} invalid` : this.kbId;
    return filter ? `${scope} ${hashFilter(filter)}` : scope;
  }

  /** @param given the leading parameters */
  private condition(filter: MetadataFilter | undefined, given: readonly unknown[]) {
    const values = [...given];
    const bind = (value: unknown) => `$${values.push(value)}`;
    return { values, matches: filter ? this.store.dialect.matches(filter, bind) : 'TRUE' };
  }

  private readChangesAfter(serial: number) {
    const { ofIndex } = this.store.dialect;
    return this.store.queryUntilDeadline<ChangeRow>(
      `SELECT CAST(serial AS float8) AS serial, added, removed FROM search_changes
       WHERE ${ofIndex} AND serial > $2 ORDER BY serial LIMIT ${CHANGES}`,
      [this.kbId, serial],
    );
  }

  private readRows(numbers: readonly number[], filter: MetadataFilter | undefined) {
    const { isIn, list, join } = this.store.dialect;
    const { values, matches } = this.condition(filter, [list(numbers)]);
    return this.store.queryUntilDeadline<RuledPassageRow>(
      `WITH p AS MATERIALIZED (
         SELECT number, document_id, version FROM passages WHERE ${isIn('number', '$1')})
       SELECT ${columns(`${this.isClosed} OR NOT ${matches}`)} FROM p
         ${join} documents d ON d.id = p.document_id
         ${join} search_passages s ON s.passage_number = p.number`,
      values,
    );
  }

  private readRowsChangedAfter(version: number, filter: MetadataFilter | undefined) {
    const { join, interruptible } = this.store.dialect;
    const { values, matches } = this.condition(filter, [this.kbId, version]);
    return this.store.queryUntilDeadline<RuledPassageRow>(
      `SELECT ${columns(`${this.isClosed} OR NOT ${matches}`)} FROM documents d
         ${join} passages p ON p.document_id = d.id
         ${join} search_passages s ON s.passage_number = p.number
       WHERE d.kb_id = $1 AND d.${HAS_NEW_RULE} AND d.rules_version > $2
         AND ${interruptible('p.number')} LIMIT ${BATCH}`,
      values,
    );
  }
}

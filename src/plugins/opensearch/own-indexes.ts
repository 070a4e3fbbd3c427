import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { SearchPlace } from '../../knowledge-bases/knowledge-base.entity.js';
import { Config } from '../../platform/config/config.js';
import { sqlParameter } from '../../platform/database/dialect.js';
import { Job, type JobRound } from '../../platform/jobs/job.js';
import type { MayContinue } from '../../platform/jobs/job-lock.js';
import { WORD_INDEX } from '../../documents/search/search.module.js';
import type { ThreadWrittenIndex } from '../../documents/search/thread-written-index.js';
import { VectorStore } from '../../documents/search/vector-store.js';
import type { EnginePlace } from '../../documents/search/engine/engine-place.js';
import { mostPassages, placeFor, stateTowards } from './engine-moves.js';
import type { EnginePlaces } from '../../documents/search/engine/engine-places.js';
import { OpenSearchIndex } from './opensearch-index.js';
import { isSearchUnavailable } from '../../documents/search/engine/search-unavailable-error.js';
import { UnavailableLog } from '../../documents/search/engine/unavailable-log.js';

const INTERVAL_MS = 600_000;
/** The number of knowledge bases and passages that one statement reads, so that it stays short. */
const PART = 500;
const COUNTED = 10_000;

/** The lease held by whatever moves knowledge bases, including `search:move`. */
export const MOVES = 'own-indexes';

/**
 * Gives large knowledge bases their own index in the cluster, and moves them back once they are small.
 * Each step can be repeated, so any process can continue what another left unfinished.
 */
@Injectable()
export class OwnIndexes {
  private readonly logger = new Logger(OwnIndexes.name);
  private readonly unavailable = new UnavailableLog();
  private readonly places: EnginePlaces;
  private readonly passages: number;
  private readonly questionMs: number;
  private isAtStart = true;
  /** The counts of knowledge bases that may have become large. */
  private readonly counted = new Map<string, { passages: number; newest: number }>();

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(OpenSearchIndex) private readonly engine: OpenSearchIndex | undefined,
    @Inject(WORD_INDEX) private readonly index: ThreadWrittenIndex,
    private readonly vectors: VectorStore,
    config: Config,
  ) {
    this.places = vectors.places;
    this.passages = config.SEARCH_OWN_INDEX_PASSAGES || Infinity;
    this.questionMs = config.SEARCH_TIMEOUT_MS;
  }

  @Job({ every: INTERVAL_MS, singleton: MOVES })
  async moveLarge(round: JobRound): Promise<void> {
    const { engine, isAtStart } = this;
    this.isAtStart = false;
    // Processes of the previous version may still be running, and know only the shared index.
    if (!engine || isAtStart) return;
    await this.attempt(() => this.moveAll(engine, round));
  }

  /**
   * Logs a failure, so that it does not keep other knowledge bases from moving; the next round retries
   * it.
   */
  private async attempt(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (isSearchUnavailable(error)) this.unavailable.note(error);
      else this.logger.error(error);
    }
  }

  private async moveAll(engine: OpenSearchIndex, round: JobRound): Promise<void> {
    for (let after: string | undefined = ''; after !== undefined;) {
      const some: {
        id: string;
        place: SearchPlace;
        oldest: number | null;
        newest: number | null;
      }[] = await this.dataSource.query(
        `SELECT id, search_place AS place,
           (SELECT MIN(number) FROM passages WHERE kb_id = knowledge_bases.id) AS oldest,
           (SELECT MAX(number) FROM passages WHERE kb_id = knowledge_bases.id) AS newest
         FROM knowledge_bases WHERE state = 'active' AND id > ${sqlParameter(this.dataSource, 0)}
         ORDER BY id LIMIT ${PART}`,
        [after],
      );
      for (const { id, place, oldest, newest } of some) {
        const range = { oldest: oldest ?? 1, newest: newest ?? 0 };
        const most = mostPassages(range, this.counted.get(id));
        if (place === 'shared' && most < this.passages) continue;
        if (!(await round.mayContinue())) return;
        await this.attempt(() => this.move(engine, id, range.newest, place, round));
      }
      after = some.length < PART ? undefined : some.at(-1)?.id;
    }
  }

  private async move(
    engine: OpenSearchIndex,
    kbId: string,
    newest: number,
    found: SearchPlace,
    round: JobRound,
  ): Promise<void> {
    const passages = await this.count(kbId);
    this.counted.set(kbId, { passages, newest });
    const size = placeFor(passages, this.passages, found);
    const to = size === 'own' && (await this.index.isInEngine(kbId)) ? 'own' : 'shared';
    let place = found;
    let hasMoved = true;
    while (
      hasMoved &&
      (await round.mayContinue()) &&
      (await this.prepare(engine, kbId, place, to, round))
    ) {
      const next = stateTowards(place, to);
      hasMoved = next !== place && (await this.places.change(kbId, place, next));
      place = next;
    }
  }

  /** Counts passages, but stops at the limit. */
  private async count(kbId: string): Promise<number> {
    const [id, last] = [0, 1].map((index) => sqlParameter(this.dataSource, index));
    for (let passages = 0, after = 0; ;) {
      const [part] = await this.dataSource.query<{ count: number; last: number | null }[]>(
        `SELECT COUNT(*) AS count, MAX(number) AS last FROM (
           SELECT number FROM passages WHERE kb_id = ${id} AND number > ${last}
           ORDER BY number LIMIT ${COUNTED}) part`,
        [kbId, after],
      );
      passages += Number(part?.count);
      if (Number(part?.count) < COUNTED || passages >= this.passages) return passages;
      after = part?.last ?? Infinity;
    }
  }

  /**
   * Does the work required before a knowledge base leaves a state on its way to a place.
   *
   * @returns whether it may leave the state
   */
  private async prepare(
    engine: OpenSearchIndex,
    kbId: string,
    place: SearchPlace,
    to: EnginePlace,
    { signal, mayContinue }: JobRound,
  ): Promise<boolean> {
    switch (place) {
      case 'shared':
        return true;
      case 'preparing':
        if (to === 'shared') await this.waitForRequests(signal);
        if (!(await mayContinue())) return false;
        await engine.leave(kbId, 'own');
        return to === 'shared' || this.make(engine, kbId);
      case 'to_own':
        return (
          to === 'shared' || ((await this.make(engine, kbId)) && this.copy(kbId, to, mayContinue))
        );
      case 'own':
        if (!(await engine.isShared(kbId))) return true;
        await this.waitForRequests(signal);
        if (await mayContinue()) await engine.leave(kbId, 'shared', mayContinue);
        return mayContinue();
      case 'to_shared':
        return to === 'own' || this.copy(kbId, to, mayContinue);
    }
  }

  /** Waits until requests that still use the old place have ended. */
  private waitForRequests(signal: AbortSignal): Promise<unknown> {
    return pause(this.questionMs, undefined, { signal }).catch(() => undefined);
  }

  /** @returns false if the knowledge base was deleted, since its removal may already be complete */
  private async make(engine: OpenSearchIndex, kbId: string): Promise<boolean> {
    const leaveIfGone = async () => {
      const isGone = (await this.places.findState(kbId)) === undefined;
      if (isGone) await engine.leave(kbId, 'own');
      return isGone;
    };
    try {
      await engine.prepareOwn(kbId);
    } catch (error) {
      // The cluster may still create the index.
      await leaveIfGone();
      throw error;
    }
    return !(await leaveIfGone());
  }

  private async copy(kbId: string, to: EnginePlace, mayContinue: MayContinue): Promise<boolean> {
    return (
      (await this.index.move(kbId, to, mayContinue)) &&
      (await this.vectors.copy(kbId, to, mayContinue))
    );
  }

  /** For `search:move`: recreates an own index that the cluster has lost. */
  async restore(kbId: string): Promise<void> {
    const places = await this.places.findWritten(kbId);
    if (this.engine && places.includes('own')) await this.make(this.engine, kbId);
  }

  /**
   * For `search:move`: marks the own index of a knowledge base that is no longer in the engine; the
   * next round removes it.
   */
  async leave(kbId: string): Promise<void> {
    const place = await this.places.findState(kbId);
    if (place && place !== 'shared') await this.places.change(kbId, place, 'preparing');
  }
}

import { setTimeout as pause } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { BackgroundJob } from '../../../platform/jobs/background-job.js';
import type { JobLock } from '../../../platform/jobs/job-lock.js';
import type { ThreadWrittenIndex } from '../thread-written-index.js';
import type { VectorStore } from '../vector-store.js';
import { type EnginePlace, readPlace, writePlaces } from './engine-place.js';
import type { OpenSearchIndex } from './opensearch-index.js';
import { isSearchUnavailable } from './search-unavailable-error.js';
import { UnavailableLog } from './unavailable-log.js';

/** Of the passages that give a knowledge base an index of its own, how many it must keep to stay there. */
const KEPT_SHARE = 0.25;

const SIZES = `
  SELECT kb.id, COALESCE(sum(d.passage_count), 0) AS passages
  FROM knowledge_bases kb LEFT JOIN documents d ON d.kb_id = kb.id AND d.state = 'active'
  WHERE kb.state = 'active' GROUP BY kb.id`;

type MayContinue = () => Promise<boolean>;

/**
 * Gives large knowledge bases an index of their own in the cluster, and takes it back once they are small.
 * Each step can be done again: a process that died is followed by the next round of any.
 */
export class OwnIndexes extends BackgroundJob {
  /** From how many passages on; other than that in tests only, as is the interval. */
  static passages = 1_000_000;
  static intervalMs = 600_000;

  private readonly unavailable = new UnavailableLog();

  /** @param questionMs how long questions go where they went when they began */
  constructor(
    private readonly dataSource: DataSource,
    private readonly jobs: JobLock,
    private readonly engine: OpenSearchIndex | undefined,
    private readonly index: ThreadWrittenIndex,
    private readonly vectors: VectorStore,
    private readonly questionMs: number,
  ) {
    super(OwnIndexes.intervalMs);
  }

  protected override async run(): Promise<void> {
    const { engine } = this;
    if (!engine) return;
    try {
      await this.jobs.run('own-indexes', this.signal, (mayContinue) =>
        this.moveAll(engine, mayContinue),
      );
    } catch (error) {
      if (!isSearchUnavailable(error)) throw error;
      this.unavailable.note(error);
    }
  }

  private async moveAll(engine: OpenSearchIndex, mayContinue: MayContinue): Promise<void> {
    const owners = new Set(await engine.owners());
    const sizes = await this.dataSource.query<{ id: string; passages: number | string }[]>(SIZES);
    for (const { id, passages } of sizes) {
      const isOwner = owners.has(id);
      if (Number(passages) < OwnIndexes.passages && !isOwner) continue;
      if (!(await mayContinue())) return;
      await this.move(engine, id, Number(passages), isOwner, mayContinue);
    }
  }

  private async move(
    engine: OpenSearchIndex,
    kbId: string,
    passages: number,
    isOwner: boolean,
    mayContinue: MayContinue,
  ): Promise<void> {
    const now = await this.index.place({ kbId });
    const to = placeFor(passages, readPlace(now));
    const isMade = now !== undefined && to === 'own' && !isOwner;
    if (isMade) await engine.prepareOwn(kbId);
    let mark = await this.index.place({ kbId, to });
    if (writePlaces(mark).length > 1) {
      const isCopied =
        (await this.index.move(kbId, to, mayContinue)) &&
        (await this.vectors.copy(kbId, to, mayContinue));
      if (!isCopied) return;
      mark = await this.index.place({ kbId, to, isCopied });
    }
    const left = readPlace(mark) === 'own' ? 'shared' : 'own';
    const isLeft = left === 'own' ? isOwner || isMade : await engine.isShared(kbId);
    if (isLeft && (await this.waitForQuestions(mayContinue))) await engine.leave(kbId, left);
  }

  /** Those that began before a knowledge base was marked still go where it was. */
  private async waitForQuestions(mayContinue: MayContinue): Promise<boolean> {
    await pause(this.questionMs, undefined, { signal: this.signal }).catch(() => undefined);
    return mayContinue();
  }
}

function placeFor(passages: number, now: EnginePlace): EnginePlace {
  if (passages >= OwnIndexes.passages) return 'own';
  return passages < OwnIndexes.passages * KEPT_SHARE ? 'shared' : now;
}

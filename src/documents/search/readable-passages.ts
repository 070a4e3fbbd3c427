import type { IndexStatistics, Visibility } from '@latchkey/ranking/index-reader';
import { sqlIsClosed, withEveryone } from '../../knowledge-bases/access-rules/readable.js';
import type { IndexReadStore } from './index-store.js';
import { type RuledPassageRow, RuledPassages } from './ruled-passages.js';

/** How many knowledge bases a thread remembers, each with four bytes a passage. */
const MAX_REMEMBERED = 16;
/** Of one statement, so that what was read before a deadline is not read again. */
const BATCH = 20_000;

interface SetRow {
  readonly id: string;
}

interface StateRow {
  /** Of which document has which rule. */
  readonly version: number;
  readonly last: number | null;
  readonly closed: boolean | 0 | 1;
}

interface Remembered {
  readonly version: number;
  readonly passages: RuledPassages;
  /** What of the index they were read for. */
  state?: string;
}

/** By knowledge base; the least recently used first. */
const remembered = new Map<string, Remembered>();

/**
 * The passages of a knowledge base that rules let somebody read. Which sets of rules allow them is asked
 * each time; the passages of all sets are remembered until a document gets another rule, or passages are
 * removed. Those of deleted documents, and of versions that are not published, are among them.
 */
export class ReadablePassages {
  constructor(
    private readonly store: IndexReadStore,
    private readonly kbId: string,
    private readonly principals: readonly string[],
  ) {}

  /** @param whole the statistics of the whole index */
  async read(whole: IndexStatistics): Promise<Visibility> {
    // Before the passages: a change that comes between is noticed by the next search.
    const [state] = await this.store.queryUntilDeadline<StateRow>(
      `SELECT CAST(kb.document_rules_version AS float8) AS version, ${sqlIsClosed('$1')} AS closed,
         (SELECT CAST(max(number) AS float8) FROM passages WHERE kb_id = $1) AS last
       FROM knowledge_bases kb WHERE kb.id = $1`,
      [this.kbId],
    );
    const sets = await this.readableSets();
    const passages = await this.passagesAt(state?.version ?? 0, whole, state?.last ?? null);
    const ids = sets.map(({ id }) => id);
    return passages.of(state?.closed ? ids : [...ids, null]);
  }

  private readableSets() {
    const { isIn, list } = this.store.dialect;
    return this.store.queryUntilDeadline<SetRow>(
      `SELECT set_id AS id FROM access_entries WHERE kb_id = $1 AND ${isIn('principal', '$2')}
       GROUP BY set_id HAVING min(effect) = 'allow' AND max(effect) = 'allow'`,
      [this.kbId, list(withEveryone(this.principals))],
    );
  }

  private async passagesAt(
    version: number,
    whole: IndexStatistics,
    last: number | null,
  ): Promise<RuledPassages> {
    const state = JSON.stringify([whole.passages, whole.tokens, last]);
    const known = remembered.get(this.kbId);
    if (known?.version === version) {
      this.remember(known);
      if (known.state === state) return known.passages;
      await this.readFurther(known.passages);
      if (known.passages.isComplete(whole)) {
        known.state = state;
        return known.passages;
      }
    }
    const read: Remembered = { version, passages: new RuledPassages() };
    this.remember(read);
    await this.readFurther(read.passages);
    read.state = state;
    return read.passages;
  }

  private remember(one: Remembered): void {
    remembered.delete(this.kbId);
    remembered.set(this.kbId, one);
    const [oldest] = remembered.keys();
    if (oldest !== undefined && remembered.size > MAX_REMEMBERED) remembered.delete(oldest);
  }

  private async readFurther(passages: RuledPassages): Promise<void> {
    const { interruptible } = this.store.dialect;
    let [from, missing]: [number, number | undefined] = [passages.next, undefined];
    for (;;) {
      const rows = await this.store.queryUntilDeadline<RuledPassageRow>(
        `SELECT CAST(p.number AS float8) AS number, s.tokens, COALESCE(s.language, '') AS language,
           d.access_set_id AS "setId"
         FROM passages p JOIN documents d ON d.id = p.document_id
           LEFT JOIN search_passages s ON s.passage_number = p.number
         WHERE p.kb_id = $1 AND p.number >= $2 AND ${interruptible('p.number')}
         ORDER BY p.number LIMIT $3`,
        [this.kbId, from, BATCH],
      );
      const firstMissing = passages.add(rows);
      missing ??= firstMissing;
      from = (rows.at(-1)?.number ?? from - 1) + 1;
      passages.next = missing ?? from;
      if (rows.length < BATCH) return;
    }
  }
}

import {
  type IndexStatistics,
  toStatistics,
  type Visibility,
} from '@latchkey/ranking/index-reader';
import { NumberSet } from '@latchkey/ranking/number-set';
import { sqlIsClosed, withEveryone } from '../../knowledge-bases/access-rules/readable.js';
import type { IndexReadStore } from './index-store.js';

/** How many a thread remembers, each of some kilobytes to a few megabytes. */
const MAX_REMEMBERED = 16;

interface SetRow {
  readonly id: string;
}

interface PassageRow {
  readonly number: number;
  /** Null for one that the index does not have yet. */
  readonly tokens: number | null;
  readonly language: string;
}

interface VersionRow {
  /** Of the rules, and of which document has which. */
  readonly version: number;
  readonly last: number | null;
  readonly closed: boolean | 0 | 1;
}

/** By what they depend on; the least recently used first. */
const remembered = new Map<string, Visibility>();

/**
 * The passages of a knowledge base that rules let somebody read. Which sets of rules allow them is asked
 * each time; the passages of these sets are remembered until a document gets another rule, or passages
 * are added or removed. Versions of documents that are not published yet, or no more, are among them.
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
    const [state] = await this.store.queryUntilDeadline<VersionRow>(
      `SELECT CAST(kb.access_version AS float8) AS version, ${sqlIsClosed('$1')} AS closed,
         (SELECT CAST(max(number) AS float8) FROM passages WHERE kb_id = $1) AS last
       FROM knowledge_bases kb WHERE kb.id = $1`,
      [this.kbId],
    );
    const sets = (await this.readableSets()).map(({ id }) => id).sort();
    const key = JSON.stringify([this.kbId, state, whole.passages, whole.tokens, sets]);
    const known = remembered.get(key) ?? (await this.passagesOf(sets, Boolean(state?.closed)));
    remembered.delete(key);
    remembered.set(key, known);
    const [oldest] = remembered.keys();
    if (oldest !== undefined && remembered.size > MAX_REMEMBERED) remembered.delete(oldest);
    return known;
  }

  private readableSets() {
    const { isIn, list } = this.store.dialect;
    return this.store.queryUntilDeadline<SetRow>(
      `SELECT set_id AS id FROM access_entries WHERE kb_id = $1 AND ${isIn('principal', '$2')}
       GROUP BY set_id HAVING min(effect) = 'allow' AND max(effect) = 'allow'`,
      [this.kbId, list(withEveryone(this.principals))],
    );
  }

  private async passagesOf(sets: readonly string[], isClosed: boolean): Promise<Visibility> {
    const { isIn, list, join, interruptible } = this.store.dialect;
    const ofSets = isIn('d.access_set_id', '$2');
    const rows = await this.store.queryUntilDeadline<PassageRow>(
      `SELECT CAST(p.number AS float8) AS number, s.tokens, COALESCE(s.language, '') AS language
       FROM documents d ${join} passages p ON p.document_id = d.id
         LEFT JOIN search_passages s ON s.passage_number = p.number
       WHERE d.kb_id = $1 AND d.state = 'active' AND ${interruptible('d.rowid')}
         AND (${ofSets} ${isClosed ? '' : 'OR d.access_set_id IS NULL'})`,
      [this.kbId, list(sets)],
    );
    const numbers = new NumberSet();
    const sizes = new Map<string, { language: string; passages: number; tokens: number }>();
    for (const { number, tokens, language } of rows) {
      numbers.add(number);
      if (tokens === null) continue;
      const size = sizes.get(language) ?? { language, passages: 0, tokens: 0 };
      sizes.set(language, size);
      size.passages++;
      size.tokens += tokens;
    }
    return { numbers, statistics: toStatistics([...sizes.values()]) };
  }
}

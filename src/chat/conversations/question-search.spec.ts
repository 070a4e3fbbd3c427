import { beforeEach, describe, expect, it } from '@jest/globals';
import { ReportQueries, type ReportRow } from '../../platform/reports/report-queries.js';
import { ReportLimiter } from '../../knowledge-bases/report-limiter.js';
import { FairShareLookup } from '../../knowledge-bases/fair-share-lookup.js';
import { QuestionSearch } from './question-search.js';

/** A database whose statements end when a test says so. */
class Held extends ReportQueries {
  readonly running: { resolve: (rows: ReportRow[]) => void; reject: (error: Error) => void }[] = [];

  override instant = (milliseconds: number) => new Date(milliseconds).toISOString();
  override isIn = (column: string, parameter: string) => `${column} IN ${parameter}`;
  override entries = (column: string) => column;
  override runForRanges = () => Promise.resolve([]);

  override run(): Promise<ReportRow[]> {
    return new Promise((resolve, reject) => this.running.push({ resolve, reject }));
  }
}

describe(QuestionSearch.name, () => {
  let queries: Held;
  let search: QuestionSearch;

  beforeEach(() => {
    queries = new Held();
    const fairShares = new FairShareLookup({ findOne: () => Promise.resolve(null) });
    search = new QuestionSearch(queries, new ReportLimiter(fairShares), fairShares);
  });
  const find = (signal = new AbortController().signal) => search.find('kb_1', 'order', {}, signal);
  const running = async (count: number) => {
    while (queries.running.length < count) await new Promise(setImmediate);
  };

  it('refuses what would wait behind too many', async () => {
    const refused: unknown[] = [];
    const all = Array.from({ length: 12 }, () =>
      find().catch((error: unknown) => {
        refused.push(error);
      }),
    );
    await running(1);
    while (refused.length < 3) await new Promise(setImmediate);
    expect(refused).toMatchObject([1, 2, 3].map(() => ({ code: 'knowledge_base_busy' })));
    for (let count = 1; count <= 9; count++) {
      await running(count);
      expect(queries.running).toHaveLength(count);
      queries.running.at(-1)?.resolve([]);
    }
    await Promise.all(all);
    expect(refused).toHaveLength(3);
  });

  it('does not begin what nobody waits for any more', async () => {
    const leaving = new AbortController();
    const first = find();
    await running(1);
    const left = find(leaving.signal);
    const next = find();
    leaving.abort(new Error('The client has left'));
    await expect(left).rejects.toThrow('The client has left');
    queries.running[0]?.resolve([{ id: 'conv_1' }]);
    await running(2);
    queries.running[1]?.resolve([]);
    expect([await first, await next]).toEqual([['conv_1'], []]);
    expect(queries.running).toHaveLength(2);
  });

  it('says when the database has ended it', async () => {
    const found = find();
    await running(1);
    queries.running[0]?.reject(Object.assign(new Error('canceled'), { code: '57014' }));
    await expect(found).rejects.toMatchObject({
      code: 'knowledge_base_busy',
      headers: { 'retry-after': '1' },
    });
  });
});

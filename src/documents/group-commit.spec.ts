import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { type EntityManager, QueryFailedError } from 'typeorm';
import { classifyFailure, LockTimeoutError } from '../platform/database/database-error.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import type { KnowledgeBaseAccess } from '../knowledge-bases/knowledge-base-access.js';
import { FairShareLookup } from '../knowledge-bases/fair-share-lookup.js';
import { GroupCommit } from './group-commit.js';

/** Runs work without a database, and at once for each knowledge base, as on PostgreSQL. */
class PlainUnitOfWork extends UnitOfWork {
  protected override transact<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return work({ query: () => Promise.resolve() } as unknown as EntityManager);
  }
}

const KB = 'kb_1';
const stored = () => Promise.resolve('stored');

describe(GroupCommit.name, () => {
  const lock = jest.fn(() => Promise.resolve());
  const groupCommit = () =>
    new GroupCommit(
      new PlainUnitOfWork(),
      { lock } as unknown as KnowledgeBaseAccess,
      new FairShareLookup({ findOne: () => Promise.resolve(null) }),
    );

  afterEach(() => {
    jest.restoreAllMocks();
    lock.mockReset().mockResolvedValue();
  });

  it('stores what waited, however long those before it take', async () => {
    const uploads = groupCommit();
    const first = Promise.withResolvers<string>();
    const running = uploads.run(KB, 1, () => first.promise);
    await new Promise((resolve) => setImmediate(resolve));
    const waiting = [1, 2, 3].map(() => uploads.run(KB, 1, stored));
    const now = performance.now.bind(performance);
    jest.spyOn(performance, 'now').mockImplementation(() => now() + 60_000);
    first.resolve('stored');
    expect(await Promise.all([running, ...waiting])).toEqual(Array(4).fill('stored'));
  });

  it('refuses at once, as an unavailable database, what comes when 500 wait', async () => {
    const uploads = groupCommit();
    const first = Promise.withResolvers<string>();
    const running = uploads.run(KB, 1, () => first.promise);
    await new Promise((resolve) => setImmediate(resolve));
    const waiting = Array.from({ length: 500 }, () => uploads.run(KB, 1, stored));
    const refused: unknown = await uploads.run(KB, 1, stored).catch((error: unknown) => error);
    expect(classifyFailure(refused)).toBe('away');
    expect(await uploads.run('kb_2', 1, stored)).toBe('stored');
    first.resolve('stored');
    await Promise.all([running, ...waiting]);
  });

  it('refuses all that wait when somebody keeps the knowledge base locked', async () => {
    const cancelled = Object.assign(new Error('canceling statement'), { code: '57014' });
    lock.mockRejectedValue(new QueryFailedError('SELECT', [], cancelled));
    const uploads = groupCommit();
    const all = Array.from({ length: 100 }, () => uploads.run(KB, 1, stored));
    const results = await Promise.allSettled(all);
    expect(lock).toHaveBeenCalledTimes(1);
    for (const result of results) {
      expect(result).toMatchObject({ reason: expect.any(LockTimeoutError) });
    }
  });

  it('lets only that one fail which the database rejects', async () => {
    const uploads = groupCommit();
    const rejected = Object.assign(new Error('value too long'), { code: '22001' });
    const results = await Promise.allSettled([
      uploads.run(KB, 1, stored),
      uploads.run(KB, 1, () => Promise.reject(new QueryFailedError('INSERT', [], rejected))),
      uploads.run(KB, 1, stored),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });
});

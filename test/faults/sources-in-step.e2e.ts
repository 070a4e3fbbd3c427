import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Client } from '../support/client.js';
import { repetitions } from '../support/repetitions.js';
import { Service } from '../support/service.js';
import { newUserId } from '../support/shared-service.js';
import { Sources, TestFolder } from '../support/sources.js';

const NAMES = Array.from({ length: 12 }, (_, index) => `${index % 3}/page-${index}.md`);
const name = fc.constantFrom(...NAMES);

/** What happens at the source and in the service, before a quiet run. */
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('write' as const), name }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('remove' as const), name }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('move' as const), name, to: name }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('away' as const), name }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('run' as const), name }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('begin' as const), name }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('kill' as const), name }) },
);

describe('a source', () => {
  let service: Service;
  const userId = newUserId('alice');

  beforeAll(async () => {
    service = await Service.start({ SOURCE_FOLDERS: '/tmp' });
  });

  afterAll(() => service.stop());

  /** Killed in the middle of whatever it does; another process goes on. */
  async function replaceService(): Promise<void> {
    await service.kill();
    service = await Service.start(service.environment);
  }

  it('is what its knowledge base has after a quiet run, whatever happened before', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
        const alice = () => new Client(service, userId);
        const { id: kbId } = await alice().createKnowledgeBase();
        const folder = new TestFolder();
        const files = new Map<string, string>();
        const write = (file: string, text: string) => {
          files.set(file, text);
          folder.write(file, text);
        };
        write('always.md', 'This page is always there.');
        const config = { path: folder.path };
        const source = await new Sources(alice(), kbId).connect('folder', config);
        let serial = 0;
        for (const { kind, ...one } of steps) {
          const sources = new Sources(alice(), kbId);
          if (kind === 'write') write(one.name, `Page ${one.name}, version ${serial++}.`);
          if (kind === 'remove' && files.delete(one.name)) folder.remove(one.name);
          const text = files.get(one.name);
          if (kind === 'move' && 'to' in one && text !== undefined && one.to !== one.name) {
            folder.move(one.name, one.to);
            files.delete(one.name);
            files.set(one.to, text);
          }
          if (kind === 'away') {
            // Deletes nothing: the listing fails.
            folder.move('.', `../away-${kbId}`);
            const before = await sources.documents();
            await sources.run(source.id, { confirm: true });
            expect((await sources.documents()).length).toBeGreaterThanOrEqual(
              Math.min(1, before.length),
            );
            folder.move(`../away-${kbId}`, '.');
          }
          if (kind === 'run') await sources.run(source.id, { confirm: true });
          if (kind === 'begin') await sources.begin(source.id, { confirm: true });
          if (kind === 'kill') await replaceService();
        }
        const sources = new Sources(alice(), kbId);
        const [last] = await sources.runs(source.id);
        if (last) await sources.ended(source.id, last.id);
        const quiet = await sources.run(source.id, { confirm: true });
        expect(quiet).toMatchObject({ status: 'complete', errors: [] });
        const stored = (await sources.documents()).map(
          ({ source_url, sha256 }) => [source_url?.slice('file:///'.length), sha256] as const,
        );
        const expected = [...files].map(([file, text]) => [
          file,
          createHash('sha256').update(text).digest('hex'),
        ]);
        expect(stored.sort()).toEqual(expected.sort());
        folder.remove();
      }),
      { numRuns: repetitions(4, 200), endOnFailure: true },
    );
  });
});

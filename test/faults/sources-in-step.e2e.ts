import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { BucketServer, CREDENTIALS } from '../../packages/sources/test/bucket-server.js';
import { Client } from '../support/client.js';
import { repetitions } from '../support/repetitions.js';
import { Service } from '../support/service.js';
import { newUserId } from '../support/shared-service.js';
import { SOURCE_FOLDERS, Sources, TestFolder } from '../support/sources.js';

const NAMES = Array.from({ length: 12 }, (_, index) => `${index % 3}/page-${index}.md`);
const name = fc.constantFrom(...NAMES);

/** A place of documents that a test changes. */
interface Place {
  readonly type: string;
  readonly config: object;
  readonly credentials?: object;
  /** What addresses of its documents begin with. */
  readonly address: string;
  write(name: string, text: string): void;
  remove(name: string): void;
  move(name: string, to: string): void;
  /** Makes listings fail, or work again. */
  setAway(isAway: boolean): void;
  end(): Promise<void>;
}

function folderPlace(): Promise<Place> {
  const folder = new TestFolder();
  const away = `../away-${basename(folder.path)}`;
  return Promise.resolve({
    ...{ type: 'folder', config: { path: folder.path }, address: 'file:///' },
    write: (file, text) => {
      folder.write(file, text);
    },
    remove: (file) => {
      folder.remove(file);
    },
    move: (file, to) => {
      folder.move(file, to);
    },
    setAway: (isAway) => {
      if (isAway) folder.move('.', away);
      else folder.move(away, '.');
    },
    end: () => {
      folder.remove();
      return Promise.resolve();
    },
  });
}

async function bucketPlace(): Promise<Place> {
  const server = await BucketServer.start();
  const { objects, config } = server;
  return {
    ...{ type: 's3', config, credentials: CREDENTIALS },
    address: `s3://${config.bucket}/`,
    write: (file, text) => {
      objects.set(file, text);
    },
    remove: (file) => {
      objects.delete(file);
    },
    move: (file, to) => {
      objects.set(to, objects.get(file) ?? '');
      objects.delete(file);
    },
    setAway: (isAway) => {
      server.intercept = (_request, response) => {
        if (isAway) response.writeHead(403).end();
        return isAway;
      };
    },
    end: () => server.stop(),
  };
}

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
    service = await Service.start({ SOURCE_FOLDERS, SOURCE_ALLOW_PRIVATE: 'yes' });
  });

  afterAll(() => service.stop());

  /** Killed in the middle of whatever it does; another process goes on. */
  async function replaceService(): Promise<void> {
    await service.kill();
    service = await Service.start(service.environment);
  }

  it.each([
    ['folder', folderPlace],
    ['bucket', bucketPlace],
  ])('that is a %s is what its knowledge base has after a quiet run', async (_, start) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
        const alice = () => new Client(service, userId);
        const { id: kbId } = await alice().createKnowledgeBase();
        const place = await start();
        const files = new Map<string, string>();
        const write = (file: string, text: string) => {
          files.set(file, text);
          place.write(file, text);
        };
        write('always.md', 'This page is always there.');
        const { type, config, credentials } = place;
        const more = credentials && { credentials };
        const source = await new Sources(alice(), kbId).connect(type, config, more);
        let serial = 0;
        for (const { kind, ...one } of steps) {
          const sources = new Sources(alice(), kbId);
          if (kind === 'write') write(one.name, `Page ${one.name}, version ${serial++}.`);
          if (kind === 'remove' && files.delete(one.name)) place.remove(one.name);
          const text = files.get(one.name);
          if (kind === 'move' && 'to' in one && text !== undefined && one.to !== one.name) {
            place.move(one.name, one.to);
            files.delete(one.name);
            files.set(one.to, text);
          }
          if (kind === 'away') {
            // Deletes nothing: the listing fails.
            place.setAway(true);
            const before = await sources.documents();
            await sources.run(source.id, { confirm: true });
            expect((await sources.documents()).length).toBeGreaterThanOrEqual(
              Math.min(1, before.length),
            );
            place.setAway(false);
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
          ({ source_url, sha256 }) => [source_url?.slice(place.address.length), sha256] as const,
        );
        const expected = [...files].map(([file, text]) => [
          file,
          createHash('sha256').update(text).digest('hex'),
        ]);
        expect(stored.sort()).toEqual(expected.sort());
        await place.end();
      }),
      { numRuns: repetitions(3, 100), endOnFailure: true },
    );
  });
});

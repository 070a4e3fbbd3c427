import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { BucketServer, CREDENTIALS as KEYS } from '../../../packages/sources/test/bucket-server.js';
import { Client } from '../../../test/support/client.js';
import { Service } from '../../../test/support/service.js';
import { newUserId } from '../../../test/support/shared-service.js';
import {
  SOURCE_FOLDERS,
  type SourceRun,
  Sources,
  TestFolder,
} from '../../../test/support/sources.js';

const HR = 'access: {allow: [group:hr]}';

describe('who may read the documents of a source', () => {
  let service: Service;
  let alice: Client;
  let sources: Sources;
  let folder: TestFolder;
  let server: BucketServer;

  beforeAll(async () => {
    service = await Service.start({ SOURCE_FOLDERS, SOURCE_ALLOW_PRIVATE: 'yes' });
    alice = new Client(service, newUserId('alice'));
  });

  afterAll(() => service.stop());

  beforeEach(async () => {
    sources = new Sources(alice, (await alice.createKnowledgeBase()).id);
    folder = new TestFolder();
    server = await BucketServer.start();
  });

  afterEach(() => server.stop());

  /** The names of documents that whoever asks may read. */
  const open = async (...principals: string[]) => {
    const checked = (await sources.documents()).map(async ({ id, title }) => {
      const path = `/documents/${id}/access-check`;
      const { body } = await alice.post<{ allowed: boolean }>(path, { principals });
      return body.allowed ? [title] : [];
    });
    return (await Promise.all(checked)).flat().sort();
  };
  const codes = ({ errors }: SourceRun) => errors.map(({ key, code }) => [key, code]);
  const connectFolder = () => sources.connect('folder', { path: folder.path });

  it('is what sidecars say, also when only these change', async () => {
    folder.write('one.md', 'The code of door 1 is 11.');
    folder.write('hr/pay.md', 'The code of door 2 is 22.');
    folder.write('hr/.latchkey.yml', HR);
    const source = await connectFolder();
    const first = await sources.run(source.id);
    expect(first).toMatchObject({ status: 'complete', counts: { added: 2 }, errors: [] });
    expect(await open()).toEqual(['one.md']);
    expect(await open('group:hr')).toEqual(['one.md', 'pay.md']);
    folder.write('hr/.latchkey.yml', 'access: {allow: [user:ann]}');
    folder.write('.latchkey.yml', 'access: {allow: [everyone], deny: [user:ann]}');
    const second = await sources.run(source.id);
    expect(second.counts).toMatchObject({ added: 0, changed: 2, unchanged: 0 });
    expect(await open('group:hr')).toEqual(['one.md']);
    expect(await open('user:ann')).toEqual([]);
    expect((await sources.run(source.id)).counts).toMatchObject({ changed: 0, unchanged: 2 });
    // One that cannot be understood closes what is in its folder, before anything else happens.
    folder.write('hr/.latchkey.yml', 'acess: {allow: [everyone]}');
    folder.write('hr/new.md', 'The code of door 3 is 33.');
    const third = await sources.run(source.id);
    expect(codes(third)).toContainEqual(['hr/.latchkey.yml', 'access_unreadable']);
    expect(await open('user:ann', 'group:hr', 'user:bob')).toEqual([]);
    expect(await open('user:bob')).toEqual(['one.md']);
    expect(await sources.titles()).toEqual(['new.md', 'one.md', 'pay.md']);
  });

  it('is held back when a sidecar is lost, until somebody confirms it', async () => {
    folder.write('one.md', 'The code of door 1 is 11.');
    folder.write('hr/pay.md', 'The code of door 2 is 22.');
    folder.write('hr/.latchkey.yml', HR);
    const source = await connectFolder();
    await sources.run(source.id);
    folder.remove('hr/.latchkey.yml');
    folder.write('hr/new.md', 'The code of door 3 is 33.');
    for (const confirm of [true, false]) {
      const asking = await sources.run(source.id, { confirm });
      expect(asking.status).toBe('needs_confirmation');
      expect(codes(asking).slice(0, 2)).toEqual([
        [null, 'held_back'],
        ['hr/.latchkey.yml', 'access_path_unmatched'],
      ]);
      expect(await open('group:hr')).toEqual(['one.md']);
    }
    const confirmed = await sources.run(source.id, { confirm: true });
    expect(confirmed).toMatchObject({ status: 'complete', errors: [] });
    expect(await open()).toEqual(['new.md', 'one.md', 'pay.md']);
  });

  it('is held back when a name of a sidecar may be misspelt', async () => {
    folder.write('pay.md', 'The code of door 1 is 11.');
    folder.write('rules.md', 'The code of door 2 is 22.');
    folder.write('deep/open.md', 'The code of door 3 is 33.');
    folder.write('.latchkey.yml', `files: {Pay.md: {${HR}}}`);
    const source = await connectFolder();
    const asking = await sources.run(source.id);
    expect(asking.status).toBe('needs_confirmation');
    expect(codes(asking)).toContainEqual(['.latchkey.yml', 'access_path_unmatched']);
    expect(await open('group:hr')).toEqual(['open.md']);
    folder.write('.latchkey.yml', `files: {pay.md: {${HR}}}`);
    expect(await sources.run(source.id)).toMatchObject({ status: 'complete', errors: [] });
    expect(await open()).toEqual(['open.md', 'rules.md']);
    expect(await open('group:hr')).toEqual(['open.md', 'pay.md', 'rules.md']);
    // Only what is new is held back when the file has gone.
    folder.remove('pay.md');
    folder.write('paid.md', 'The code of door 1 is 11.');
    expect((await sources.run(source.id)).status).toBe('needs_confirmation');
    expect(await open('group:hr')).toEqual(['open.md', 'rules.md']);
  });

  it('is what tags of objects say, also when only these change', async () => {
    for (const key of ['one.md', 'two.md']) server.objects.set(key, `The rule of ${key}.`);
    server.tags.set('one.md', { readers: 'group:hr' });
    const config = { ...server.config, access_tags: { allow: 'readers' } };
    const source = await sources.connect('s3', config, { credentials: KEYS });
    expect((await sources.run(source.id)).counts).toMatchObject({ added: 2 });
    expect([await open(), await open('group:hr')]).toEqual([[], ['one.md']]);
    server.tags.set('one.md', { readers: 'user:ann' });
    server.tags.set('two.md', { readers: 'everyone' });
    const changed = await sources.run(source.id);
    expect(changed).toMatchObject({ status: 'complete', counts: { changed: 2, unchanged: 0 } });
    expect([await open('group:hr'), await open('user:ann')]).toEqual([
      ['two.md'],
      ['one.md', 'two.md'],
    ]);
    server.intercept = (_request, response, { search }) => {
      if (search.includes('tagging')) response.writeHead(403).end('<Error/>');
      return search.includes('tagging');
    };
    const refused = await sources.run(source.id);
    expect(codes(refused)).toEqual([
      ['one.md', 'access_unreadable'],
      ['two.md', 'access_unreadable'],
    ]);
    expect(await open('user:ann', 'group:hr')).toEqual([]);
  });
});

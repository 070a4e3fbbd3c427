import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Document } from '../../../test/support/answers.js';
import { Client, outcome } from '../../../test/support/client.js';
import { OikbClient, sha256 } from '../../../test/support/oikb-client.js';
import { withPlugins } from '../../../test/support/requirement.js';
import { newUserId, sharedServices } from '../../../test/support/shared-service.js';
import { type Source, Sources } from '../../../test/support/sources.js';

const NOTHING = { added: 0, changed: 0, deleted: 0, unchanged: 0, failed: 0 };

describe('what oikb asks', () => {
  const aliceId = newUserId('alice');
  let alice: Client;
  let kbId: string;
  let sources: Sources;
  let oikb: OikbClient;
  let second: OikbClient;

  beforeAll(async () => {
    const [service] = await sharedServices();
    alice = new Client(service, aliceId);
  });

  beforeEach(async () => {
    const [one, two] = await sharedServices();
    kbId = (await alice.createKnowledgeBase()).id;
    sources = new Sources(alice, kbId);
    oikb = new OikbClient(one.url, kbId, { 'x-idp-user-id': aliceId });
    second = new OikbClient(two.url, kbId, { 'x-idp-user-id': aliceId });
  });

  const files = (count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`docs/page-${index}.md`, `# Page ${index}`]),
    );
  const titles = async () => (await sources.documents()).map(({ title }) => title).sort();
  const findSource = async () => {
    const { body } = await alice.get<{ data: (Source & { type: string })[] }>(
      `/kbs/${kbId}/sources`,
    );
    const [source] = body.data;
    if (!source) throw new Error('There is no source');
    return source;
  };
  const newestRun = async () => (await sources.runs((await findSource()).id))[0];

  it('brings documents in, and keeps in step with them', async () => {
    await oikb.sync({ 'README.md': '# Read me', 'docs/a.md': '# A', 'docs/b.md': '# B' });
    expect(await titles()).toEqual(['README.md', 'a.md', 'b.md']);
    expect(await newestRun()).toMatchObject({
      ...{ status: 'complete', counts: { ...NOTHING, added: 3 }, listed: 3 },
    });
    const before = await sources.documents();

    const changes = await oikb.sync({ 'README.md': '# Read me now', 'docs/a.md': '# A' });
    expect(changes).toMatchObject({ uploaded: ['README.md'] });
    expect(await titles()).toEqual(['README.md', 'a.md']);
    expect(await newestRun()).toMatchObject({
      ...{ status: 'complete', counts: { ...NOTHING, changed: 1, deleted: 1, unchanged: 1 } },
    });
    const after = new Map((await sources.documents()).map(({ title, id }) => [title, id]));
    expect(after.get('README.md')).toBe(before.find(({ title }) => title === 'README.md')?.id);
    const source = await findSource();
    expect(source).toMatchObject({ type: 'oikb', name: 'oikb', state: 'active' });
    expect(source.last_synced_at).not.toBeNull();
  });

  it('uploads nothing if nothing has changed', async () => {
    await oikb.sync(files(3));
    expect(await oikb.diff(files(3))).toMatchObject({
      ...{ added: [], modified: [], deleted: [], unmodified_count: 3, mkdir: [], rmdir: [] },
    });
    expect(await newestRun()).toMatchObject({
      status: 'complete',
      counts: { ...NOTHING, unchanged: 3 },
    });
  });

  it('moves a document without an upload, and keeps its id', async () => {
    await oikb.sync({ 'old/a.md': '# A', 'b.md': '# B' });
    const before = (await sources.documents()).find(({ title }) => title === 'a.md');
    const { uploaded } = await oikb.sync({ 'new/renamed.md': '# A', 'b.md': '# B' });
    expect(uploaded).toEqual([]);
    expect(await titles()).toEqual(['b.md', 'renamed.md']);
    const after = (await sources.documents()).find(({ title }) => title === 'renamed.md');
    expect(after?.id).toBe(before?.id);
    expect((await newestRun())?.counts).toEqual({ ...NOTHING, changed: 1, unchanged: 1 });
  });

  it('believes no checksum about a move that is not that of the content', async () => {
    await oikb.upload('a.md', '# A', { checksum: sha256('# B') });
    const diff = await oikb.diffOf([{ path: '', filename: 'b.md', checksum: sha256('# B') }]);
    expect(diff.added).toHaveLength(1);
  });

  it('lists, changes and deletes nothing that it did not bring', async () => {
    const byHand = await alice.addDocument(kbId, { title: 'docs/a.md', text: 'By hand' });
    await oikb.sync({ 'docs/a.md': '# A' });
    expect((await oikb.diff({ 'docs/other.md': '# Other' })).deleted).toEqual([
      expect.objectContaining({ path: 'docs', filename: 'a.md' }),
    ]);
    await oikb.cleanUp([byHand.id, `changed:${byHand.id}`, `moved:${byHand.id}:YQ`, 'nonsense']);
    expect((await oikb.list()).items.map(({ filename }) => filename)).toEqual(['a.md']);
    await oikb.reset();
    expect((await oikb.list()).total).toBe(0);
    expect(await titles()).toEqual(['docs/a.md']);
    expect((await alice.get<Document>(`/documents/${byHand.id}`)).body).toMatchObject({
      title: 'docs/a.md',
      source_url: null,
    });
  });

  it('keeps apart the documents of several users, and of named sources', async () => {
    const bobId = newUserId('bob');
    await alice.call('PUT', `/kbs/${kbId}/members/${bobId}`, { role: 'member' });
    const [{ url }] = await sharedServices();
    const bob = new OikbClient(url, kbId, { 'x-idp-user-id': bobId });
    const { id } = await sources.connect('oikb', {});
    const named = new OikbClient(url, id, { 'x-idp-user-id': bobId });
    await Promise.all([
      oikb.sync({ 'a.md': '# A', 'same.md': '# Same' }),
      bob.sync({ 'b.md': '# B', 'same.md': '# Same' }),
    ]);
    await named.sync({ 'c.md': '# C' });
    for (const client of [oikb, bob]) {
      expect((await client.list()).items.map(({ filename }) => filename)).toContain('same.md');
    }
    expect(await bob.diff({ 'b.md': '# B', 'same.md': '# Same' })).toMatchObject({ deleted: [] });
    expect((await named.list()).total).toBe(1);
    expect(await titles()).toEqual(['a.md', 'b.md', 'c.md', 'same.md', 'same.md']);
    await sources.connect('oikb', { account: aliceId });
    expect(await oikb.attempt('GET', `knowledge/${kbId}/files`)).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining('Several sources') },
    });
  });

  it('goes on after an interrupted run', async () => {
    const all = files(4);
    await oikb.sync(all);
    const changed = { ...all, 'docs/page-0.md': '# Changed', 'docs/new.md': '# New' };
    const diff = await oikb.diff(changed);
    // It cleans up before it uploads, and is killed then.
    await oikb.cleanUp(diff.modified.map(({ stale_file_id }) => stale_file_id));
    expect(await titles()).toHaveLength(4);
    expect((await oikb.sync(changed)).uploaded).toEqual(['docs/new.md', 'docs/page-0.md']);
    expect((await oikb.sync(changed)).uploaded).toEqual([]);
    expect((await sources.documents()).map(({ title }) => title)).toHaveLength(5);
  });

  it('gives two at once with the same folder one document for each file', async () => {
    const all = files(12);
    await Promise.all([oikb.sync(all), second.sync(all)]);
    expect(await titles()).toHaveLength(12);
    expect((await oikb.sync(all)).uploaded).toEqual([]);
    expect((await alice.get<{ data: unknown[] }>(`/kbs/${kbId}/sources`)).body.data).toHaveLength(
      1,
    );
  });

  it('deletes a large share only when a user has confirmed it', async () => {
    await oikb.sync(files(5));
    const rest = files(2);
    expect((await oikb.diff(rest)).deleted).toEqual([]);
    expect(await newestRun()).toMatchObject({
      status: 'needs_confirmation',
      errors: [{ code: 'deletions_unconfirmed' }],
    });
    const { id } = await findSource();
    expect((await sources.get(id)).state).toBe('needs_confirmation');
    expect(outcome(await alice.post(`/sources/${id}/run`, {}))).toBe('400 validation_failed');
    await sources.begin(id, { confirm: true });
    // A dry run does not use the confirmation up.
    expect((await oikb.diff(rest)).deleted).toHaveLength(3);
    await oikb.sync(rest);
    expect(await titles()).toEqual(['page-0.md', 'page-1.md']);
    expect((await sources.get(id)).state).toBe('active');
    expect((await sources.runs(id)).find(({ preview }) => preview)?.counts.deleted).toBe(3);
  });

  it('deletes only what the newest comparison has listed', async () => {
    await oikb.sync({ 'a.md': '# A', 'b.md': '# B' });
    const { items } = await oikb.list();
    await oikb.cleanUp(items.map(({ id }) => id));
    expect(await titles()).toEqual(['a.md', 'b.md']);
    const [earlier] = (await oikb.diff({ 'b.md': '# B' })).deleted;
    // For another client, which has begun later, the file is back.
    expect(await second.diff({ 'a.md': '# A', 'b.md': '# B' })).toMatchObject({ added: [] });
    await oikb.cleanUp([earlier?.file_id ?? '']);
    expect(await titles()).toEqual(['a.md', 'b.md']);
    const [now] = (await oikb.diff({ 'b.md': '# B' })).deleted;
    const { id } = await findSource();
    await alice.call('PATCH', `/sources/${id}`, { state: 'paused' });
    const cleanUp = () =>
      oikb.attempt('POST', oikb.path('sync/cleanup'), { file_ids: [now?.file_id] });
    expect(await cleanUp()).toMatchObject({ status: 409 });
    await alice.call('PATCH', `/sources/${id}`, { state: 'active' });
    expect(await cleanUp()).toMatchObject({ status: 200, body: { deleted: 1 } });
    expect(await titles()).toEqual(['b.md']);
  });

  it('is told what is wrong in the form of Open WebUI', async () => {
    const entry = (path: string, filename = 'a.md') => ({ path, filename, checksum: 'x', size: 1 });
    for (const outside of ['..', '/etc', 'a/../b', 'a//b', './a', 'a\0b']) {
      expect(
        await oikb.attempt('POST', oikb.path('sync/diff'), { manifest: [entry(outside)] }),
      ).toMatchObject({ status: 400, body: { detail: expect.stringContaining('manifest.0') } });
    }
    const traversal = Buffer.from('../../etc').toString('base64url');
    expect(await oikb.uploadTo(`dir-${traversal}`, 'passwd', 'text')).toMatchObject({
      status: 400,
    });
    expect(await oikb.attempt('POST', oikb.path('sync/diff'), { manifest: 'all' })).toEqual({
      ...{
        status: 400,
        body: { detail: 'manifest must be a list of files.', code: 'validation_failed' },
      },
    });
    const [{ url }] = await sharedServices();
    const stranger = new OikbClient(url, kbId, { 'x-idp-user-id': newUserId('stranger') });
    expect(await stranger.attempt('GET', `knowledge/${kbId}`)).toMatchObject({
      ...{ status: 404, body: { detail: expect.any(String) } },
    });
    expect((await stranger.uploadTo(undefined, 'a.md', '# A')).status).toBe(404);
    expect(await titles()).toEqual([]);
  });

  it('uploads a file that was refused once, until it changes', async () => {
    const png = '\0\x01\x02\x03';
    const refused = await oikb.uploadTo(undefined, 'program.exe', png);
    expect(refused).toMatchObject({ status: 415, body: { detail: expect.any(String) } });
    expect(await oikb.diff({ 'program.exe': png, 'empty.md': '' })).toMatchObject({ added: [] });
    expect(await newestRun()).toMatchObject({
      counts: { ...NOTHING, failed: 2 },
      errors: [{ key: 'empty.md' }, { key: 'program.exe', code: 'unsupported_media_type' }],
    });
    expect((await oikb.diff({ 'program.exe': `${png}1` })).added).toHaveLength(1);
  });

  it('knows a name in every form of Unicode and with every sign', async () => {
    const composed = 'Übersicht.md'.normalize('NFC');
    await oikb.sync({ [`für/${composed}`]: '# A', 'say "hi".md': '# B', 'a%22b.md': '# C' });
    const other = {
      [`für/${composed}`.normalize('NFD')]: '# A',
      ...{ 'say "hi".md': '# B', 'a%22b.md': '# C' },
    };
    expect(await oikb.diff(other)).toMatchObject({ added: [], deleted: [], unmodified_count: 3 });
    const both = { [composed]: '# D', [composed.normalize('NFD')]: '# E' };
    expect((await oikb.diff(both)).added).toHaveLength(1);
  });

  it('takes a manifest of thousands of files', async () => {
    const manifest = Array.from({ length: 50_000 }, (_, index) => ({
      ...{ path: `part-${index % 100}`, filename: `${index}.md`, checksum: String(index), size: 9 },
    }));
    expect((await oikb.diffOf(manifest)).added).toHaveLength(50_000);
    const { id } = await alice.addDocument(kbId, { title: 'By hand', text: 'Stays.' });
    await oikb.cleanUp(Array.from({ length: 5000 }, () => id));
    expect(await titles()).toEqual(['By hand']);
  });

  it('links documents as the source says, and keeps what is gone if it says so', async () => {
    const links = 'https://wiki.example.com/{stem}?from={path}';
    const { id } = await sources.connect('oikb', { links }, { on_delete: 'keep' });
    const [{ url }] = await sharedServices();
    const named = new OikbClient(url, id, { 'x-idp-user-id': aliceId });
    await named.sync({ 'a b/c.html.txt': 'Text', 'd.txt': 'More' });
    const documents = await sources.documents();
    expect(documents.map(({ source_url }) => source_url)).toContain(
      'https://wiki.example.com/a%20b/c.html?from=a%20b/c.html.txt',
    );
    await named.sync({ 'd.txt': 'More' });
    expect(await sources.documents()).toHaveLength(2);
    await alice.call('DELETE', `/sources/${id}?documents=delete`);
    expect(await sources.documents()).toEqual([]);
    expect((await named.uploadTo(undefined, 'a.md', '# A')).status).toBe(404);
  });

  it('deletes nothing under legal hold, and is refused what is paused', async () => {
    await oikb.sync({ 'a.md': '# A', 'b.md': '# B' });
    await alice.call('PATCH', `/kbs/${kbId}/settings`, { legal_hold: true });
    expect((await oikb.diff({ 'b.md': '# B' })).deleted).toEqual([]);
    expect(await oikb.attempt('POST', oikb.path('reset'))).toMatchObject({ status: 409 });
    await alice.call('PATCH', `/kbs/${kbId}/settings`, { legal_hold: false });
    const { id } = await findSource();
    await alice.call('PATCH', `/sources/${id}`, { state: 'paused' });
    expect(await oikb.attempt('POST', oikb.path('sync/diff'), { manifest: [] })).toMatchObject({
      ...{ status: 409, body: { detail: 'The source is paused. Resume it first.' } },
    });
    const [document] = await sources.documents();
    const cleanup = await oikb.attempt('POST', oikb.path('sync/cleanup'), {
      file_ids: [document?.id],
    });
    expect(cleanup).toMatchObject({ status: 409 });
    expect(await oikb.attempt('POST', oikb.path('reset'))).toMatchObject({ status: 409 });
    expect(await sources.documents()).toHaveLength(2);
  });

  withPlugins('service-accounts').it(
    'takes the key of a service account, and no API key',
    async () => {
      const [{ url }] = await sharedServices();
      const { id } = await alice.createServiceAccount(kbId);
      const bearer = ({ api_key }: { api_key: string }) => ({ authorization: `Bearer ${api_key}` });
      const key = await alice.createManagementKey(id, ['documents:write']);
      const robot = new OikbClient(url, kbId, bearer(key));
      await robot.sync({ 'a.md': '# A' });
      expect(await titles()).toEqual(['a.md']);
      const reader = await alice.createManagementKey(id, ['analytics:read']);
      expect(
        (await new OikbClient(url, kbId, bearer(reader)).attempt('GET', `knowledge/${kbId}`))
          .status,
      ).toBe(403);
      const partner = bearer(await alice.createApiKey(kbId));
      const refused = await new OikbClient(url, kbId, partner).attempt('GET', `knowledge/${kbId}`);
      expect(refused).toMatchObject({ status: 401, body: { detail: expect.any(String) } });
    },
  );
});

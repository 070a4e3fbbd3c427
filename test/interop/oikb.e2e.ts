import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, beforeEach, expect, it } from '@jest/globals';
import { Client } from '../support/client.js';
import { GiteaServer } from '../support/gitea.js';
import { registry } from '../support/requirement.js';
import { eventually } from '../support/service.js';
import { newUserId, sharedService } from '../support/shared-service.js';
import { Sources, TestFolder, TestSite } from '../support/sources.js';

// oikb, unmodified, as its users install and call it.

const folder = mkdtempSync(join(process.env['LATCHKEY_TEST_DIR'] ?? tmpdir(), 'oikb-'));
const environment = join(folder, 'venv');
const program = join(environment, 'bin/oikb');
const MANY = 40;

function install(): boolean {
  if (spawnSync('python3', ['-m', 'venv', environment]).status !== 0) return false;
  const pip = join(environment, 'bin/pip');
  return spawnSync(pip, ['install', '--quiet', 'oikb==0.6.0']).status === 0;
}

const oikb = registry('Python’s registry', install());

oikb.describe('oikb', () => {
  let url: string;
  let alice: Client;
  let kbId: string;
  let sources: Sources;
  let docs: TestFolder;
  let key: string;

  beforeAll(async () => {
    ({ url } = await sharedService());
    alice = new Client({ url }, newUserId('oikb'));
  });

  beforeEach(async () => {
    kbId = (await alice.createKnowledgeBase()).id;
    sources = new Sources(alice, kbId);
    docs = new TestFolder();
    key = await createKey();
  });

  const createKey = async () => {
    const { id } = await alice.createServiceAccount(kbId);
    return (await alice.createManagementKey(id, ['documents:write'])).api_key;
  };
  const options = (token: string) => ({
    ...{ cwd: folder },
    env: {
      ...{ PATH: process.env['PATH'], HOME: folder, OPEN_WEBUI_API_KEY: token },
      ...{ OPEN_WEBUI_URL: `${url}/open-webui`, PYTHONIOENCODING: 'utf-8' },
    },
  });
  /** @returns the last line of what it says */
  const run = async (args: string[], { token = key, env = {}, id = kbId } = {}) => {
    const { cwd, env: usual } = options(token);
    const all = [...args, '--kb-id', id];
    const { stdout } = await promisify(execFile)(program, all, { cwd, env: { ...usual, ...env } });
    return stdout.trim();
  };
  const sync = (source = docs.path, more: Parameters<typeof run>[1] = {}) =>
    run(['sync', source], more);
  const titles = async () => (await sources.documents()).map(({ title }) => title).sort();
  const runs = async () => {
    const { body } = await alice.get<{ data: { id: string }[] }>(`/kbs/${kbId}/sources`);
    return sources.runs(body.data[0]?.id ?? '');
  };
  const writeMany = () => {
    for (let index = 0; index < MANY; index++) docs.write(`page-${index}.md`, `# Page ${index}`);
  };

  it('keeps a knowledge base in step with a folder', async () => {
    docs.write('README.md', '# Read me');
    docs.write('policies/returns.md', '# Returns\n\nOrders may be returned within 30 days.');
    docs.write('policies/Übergröße "1".md'.normalize('NFD'), '# Oversize');
    const manual = await alice.addDocument(kbId, { title: 'By hand', text: 'Stays.' });
    expect(await run(['sync', docs.path, '--dry-run'])).toContain('3 added');
    expect(await titles()).toEqual(['By hand']);
    expect(await sync()).toBe('Sync complete: 3 added');
    expect(await sync()).toBe('Sync complete: 3 unchanged');

    docs.write('README.md', '# Read me again');
    docs.move('policies/returns.md', 'returns.md');
    docs.write('new.md', '# New');
    const before = await sources.documents();
    // The move is no upload: oikb is told that the old place is gone.
    expect(await sync()).toBe('Sync complete: 1 added, 1 modified, 1 deleted, 1 unchanged');
    const idOf = (all: typeof before, title: string) => all.find((one) => one.title === title)?.id;
    const after = await sources.documents();
    expect(idOf(after, 'returns.md')).toBe(idOf(before, 'returns.md'));
    expect(idOf(after, 'README.md')).toBe(idOf(before, 'README.md'));

    docs.remove('new.md');
    expect(await sync()).toBe('Sync complete: 1 deleted, 3 unchanged');
    expect(await titles()).toHaveLength(4);
    expect((await runs())[0]).toMatchObject({
      ...{ status: 'complete', counts: { deleted: 1, unchanged: 3, failed: 0 } },
    });
    expect(await run(['status'])).toMatch(/Handbook[\s\S]*Files: +3/);
    expect(await run(['ls'])).toContain('returns.md');
    expect(await run(['reset', '--yes'])).toContain('reset');
    expect((await sources.documents()).map(({ id }) => id)).toEqual([manual.id]);
  });

  it('goes on where it was killed', async () => {
    writeMany();
    const { env, cwd } = options(key);
    const killed = spawn(program, ['sync', docs.path, '--kb-id', kbId], {
      ...{ cwd, env, stdio: 'ignore' },
    });
    await eventually(async () => (await sources.documents()).length > 2);
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    const here = (await sources.documents()).length;
    expect(here).toBeLessThan(MANY);
    await sync();
    expect(new Set(await titles()).size).toBe(MANY);
    expect(await sources.documents()).toHaveLength(MANY);
    expect(await sync()).toBe(`Sync complete: ${MANY} unchanged`);
    expect((await runs()).map(({ status }) => status)).toEqual([
      'complete',
      'complete',
      'cancelled',
    ]);
  });

  it('may run twice at once, and beside another configuration', async () => {
    writeMany();
    const other = new TestFolder();
    other.write('page-0.md', '# Another page 0');
    const token = await createKey();
    await Promise.all([
      run(['sync', docs.path, '--concurrency', '3']),
      run(['sync', docs.path, '--concurrency', '3']),
      sync(other.path, { token }),
    ]);
    expect(await sources.documents()).toHaveLength(MANY + 1);
    expect(await sync()).toBe(`Sync complete: ${MANY} unchanged`);
    expect(await sync(other.path, { token })).toBe('Sync complete: 1 unchanged');
    // The same key, and a source of its own.
    const { id } = await sources.connect('oikb', {});
    const third = new TestFolder();
    third.write('third.md', '# Third');
    expect(await sync(third.path, { id })).toBe('Sync complete: 1 added');
    expect(await sync()).toBe(`Sync complete: ${MANY} unchanged`);
    expect(await sources.documents()).toHaveLength(MANY + 2);
  });

  it('keeps a knowledge base in step with a Git repository', async () => {
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], {
        cwd: docs.path,
        stdio: 'ignore',
      });
    const commit = () => {
      git('add', '-A');
      git('commit', '-qm', 'A change');
      git('push', '-q', bare, 'main');
    };
    const bare = join(folder, `${kbId}.git`);
    execFileSync('git', ['init', '-q', '--bare', '-b', 'main', bare]);
    git('init', '-q', '-b', 'main');
    docs.write('README.md', '# Read me');
    docs.write('guide/start.md', '# Start');
    commit();
    const gitea = await GiteaServer.start(bare);
    const env = { GITEA_URL: gitea.url };
    const pull = () => sync('gitea:acme/handbook', { env });
    expect(await pull()).toBe('Sync complete: 2 added');
    docs.write('guide/start.md', '# Start here');
    docs.write('guide/end.md', '# End');
    docs.remove('README.md');
    commit();
    expect(await pull()).toBe('Sync complete: 1 added, 1 modified, 1 deleted');
    expect(await pull()).toBe('Sync complete: 2 unchanged');
    expect(await titles()).toEqual(['end.md', 'start.md']);
    await gitea.stop();
  });

  it('keeps a knowledge base in step with a website', async () => {
    const site = await TestSite.start();
    const page = (text: string) => `<html><body><main>${text}</main></body></html>`;
    site.pages.set('/', page('Welcome. <a href="/guide/returns">Returns</a>'));
    site.pages.set('/guide/returns', page('Orders may be returned within 30 days.'));
    const links = `http://127.0.0.1:${site.port}/{stem}`;
    const { id } = await sources.connect('oikb', { links });
    const crawl = () => sync(`web:http://127.0.0.1:${site.port}/`, { id });
    expect(await crawl()).toContain('2 added');
    expect((await sources.documents()).map(({ source_url }) => source_url)).toContain(
      `http://127.0.0.1:${site.port}/guide/returns`,
    );
    site.pages.set('/guide/returns', page('Orders may be returned within 40 days.'));
    expect(await crawl()).toBe('Sync complete: 1 modified, 1 unchanged');
    await site.stop();
  });

  it('says what is wrong, and uploads a refused file only once', async () => {
    writeFileSync(join(docs.path, 'program.bin'), Buffer.from([0, 1, 2, 3, 0, 255]));
    docs.write('empty.md', '');
    docs.write('a.md', '# A');
    await expect(sync()).rejects.toMatchObject({
      stderr: expect.stringMatching(/program\.bin[\s\S]*must be in one of the formats/),
    });
    expect(await sync()).toBe('Sync complete: 1 unchanged');
    expect((await runs())[0]).toMatchObject({ counts: { unchanged: 1, failed: 2 } });
    await expect(sync(docs.path, { token: 'rag_admin_wrong' })).rejects.toMatchObject({
      stderr: expect.stringContaining('401'),
    });
  });
});

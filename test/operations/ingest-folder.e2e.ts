import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client, type Document, type Page } from '../support/client.js';
import { PackedCli, type Result } from '../support/packed-cli.js';
import { newUserId, type SharedService, sharedService } from '../support/shared-service.js';
import { tool } from '../support/requirement.js';

type Listed = Document & { external_id: string | null };

const script = tool('script', !spawnSync('script', ['--version']).error);

describe('ingest', () => {
  let service: SharedService;
  let cli: PackedCli;
  const user = newUserId('alice');
  let alice: Client;
  let kbId: string;

  beforeAll(async () => {
    [service, cli] = await Promise.all([sharedService(), PackedCli.install()]);
    alice = new Client(service, user);
  });
  beforeEach(async () => {
    kbId = (await alice.createKnowledgeBase()).id;
  });

  const environment = () => ({ LATCHKEY_URL: service.url, LATCHKEY_USER: user });
  const latchkey = (...args: string[]) => cli.run(environment(), ...args);
  const ingest = (folder: string, ...args: string[]) => latchkey('ingest', kbId, folder, ...args);

  /** In a terminal, with what is typed there. */
  async function inTerminal(typed: string, ...args: string[]): Promise<Result> {
    const command = [process.execPath, cli.file, ...args].join(' ');
    const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
      env: { PATH: process.env['PATH'], TERM: 'dumb', ...environment() },
    });
    child.stdin.write(typed);
    const [stdout] = await Promise.all([textOf(child.stdout), once(child, 'close')]);
    return { code: child.exitCode ?? -1, stdout, stderr: '' };
  }

  function folder(files: Record<string, string>): string {
    const directory = mkdtempSync(join(process.env['LATCHKEY_TEST_DIR'] ?? tmpdir(), 'folder-'));
    write(directory, files);
    return directory;
  }
  function write(directory: string, files: Record<string, string>): void {
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(directory, name)), { recursive: true });
      writeFileSync(join(directory, name), content);
    }
  }

  const listed = async () => (await alice.get<Page<Listed>>(`/kbs/${kbId}/documents`)).body.data;
  const files = async () => (await listed()).map(({ external_id: file }) => String(file)).sort();

  describe('--wait', () => {
    it('ends when the documents can be found', async () => {
      const directory = folder({ 'a.md': '# One\n\nText.', 'b.txt': 'Another text.' });
      const { code, stdout, stderr } = await ingest(directory, '--wait');
      expect(stdout).toBe(
        '2 sent, 0 as they were, 0 of other types, 0 refused\n2 ready, 0 failed\n',
      );
      expect([code, stderr]).toEqual([0, expect.stringContaining('2/2 indexed')]);
      expect((await listed()).map(({ status }) => status)).toEqual(['ready', 'ready']);
    });

    it('ends with what failed and why, again until it is mended', async () => {
      const directory = folder({ 'good.md': '# Good\n\nText.', 'bad.html': '<p> </p>' });
      for (const sent of ['2 sent, 0 as they were', '0 sent, 2 as they were']) {
        const { code, stdout } = await ingest(directory, '--wait');
        expect(code).toBe(1);
        expect(stdout).toContain(`${sent}, 0 of other types, 0 refused\n1 ready, 1 failed\n`);
        expect(stdout).toMatch(/^bad\.html: no_text_extracted: \S/m);
      }
      const { stdout } = await ingest(directory, '--wait', '--json');
      expect(JSON.parse(stdout)).toMatchObject({
        ready: 1,
        failed: [{ file: 'bad.html', reason: expect.stringContaining('no_text_extracted') }],
      });
      write(directory, { 'bad.html': '<p>Now with text.</p>' });
      expect((await ingest(directory, '--wait')).code).toBe(0);
    });

    it('is optional in a pipeline', async () => {
      const { code, stdout } = await ingest(folder({ 'bad.html': '<p> </p>' }));
      expect([code, stdout]).toEqual([0, expect.not.stringContaining('ready')]);
    });

    script.it('is the default in a terminal', async () => {
      const directory = folder({ 'bad.html': '<p> </p>', 'good.txt': 'Text.' });
      const waiting = await inTerminal('', 'ingest', kbId, directory);
      expect(waiting.stdout).toMatch(/1 ready, 1 failed\r\nbad\.html: no_text_extracted/);
      expect(waiting.code).toBe(1);
      const hurried = await inTerminal('', 'ingest', kbId, directory, '--no-wait');
      expect([hurried.code, hurried.stdout]).toEqual([0, expect.not.stringContaining('ready')]);
    });
  });

  it('titles documents by their own title, or else by their file', async () => {
    const directory = folder({
      'returns.md': 'Intro\n\n# Returns *policy*\n\nText.',
      'hours.mdx': '---\ntitle: "Opening hours"\n---\n# Not this\n\nText.',
      'about.html': '<title>About\n the shop</title><p>Text about it.</p>',
      'notes.txt': '# Text\n\nThat is no Markdown.',
      'plain.md': 'Text without a heading.',
    });
    expect((await ingest(directory, '--wait')).code).toBe(0);
    expect((await listed()).map(({ title }) => title).sort()).toEqual([
      ...['About the shop', 'Opening hours', 'Returns policy', 'notes.txt', 'plain.md'],
    ]);
    const { stdout } = await latchkey('doc', 'list', kbId);
    expect(stdout).toMatch(/^doc_\w+ +ready +\d +- +returns\.md +Returns policy$/m);
  });

  it('goes on after a file that is refused', async () => {
    const { code, stdout } = await ingest(folder({ 'a.md': 'A.', 'empty.md': '' }), '--wait');
    expect(code).toBe(1);
    expect(stdout).toContain(
      '1 sent, 0 as they were, 0 of other types, 1 refused\n1 ready, 0 failed',
    );
  });

  describe('--delete-missing', () => {
    const DELETE = ['--delete-missing', '--yes'];
    const THREE = { 'a.md': 'Of apples.', 'b/b.md': 'Of berries.', 'c.txt': 'Of cherries.' };

    it('deletes documents missing from the folder, and none that it did not create', async () => {
      const directory = folder(THREE);
      const other = folder({ 'other.md': 'Of other folders.' });
      await alice.addDocument(kbId, {
        ...{ title: 'By hand', text: 'By hand.', external_id: 'by-hand.md' },
      });
      await alice.addDocument(kbId, { title: 'Without a name', text: 'Nameless.' });
      // What was there before it was in the folder does not become the folder's.
      await alice.addDocument(kbId, { title: 'D', text: 'Of dates.', external_id: 'd.md' });
      write(directory, { 'd.md': 'Of dried dates.' });
      expect((await ingest(directory)).code).toBe(0);
      expect((await ingest(other)).code).toBe(0);
      for (const file of ['b/b.md', 'd.md']) rmSync(join(directory, file));

      expect((await ingest(directory)).stdout).not.toContain('deleted');
      expect((await ingest(folder(THREE), ...DELETE)).stdout).not.toContain('deleted');
      const { code, stdout } = await ingest(directory, ...DELETE);
      expect([code, stdout]).toEqual([
        0,
        '0 sent, 2 as they were, 0 of other types, 0 refused\nb/b.md: deleted\n',
      ]);
      expect(await files()).toEqual(['a.md', 'by-hand.md', 'c.txt', 'd.md', 'null', 'other.md']);
    });

    it('keeps the document of a file that was renamed', async () => {
      const directory = folder(THREE);
      await ingest(directory, '--wait');
      renameSync(join(directory, 'a.md'), join(directory, 'apples.md'));
      const { stdout } = await ingest(directory, ...DELETE);
      expect(stdout).not.toContain('deleted');
      expect(await listed()).toHaveLength(3);
      write(directory, { 'apples.md': 'Of green apples.' });
      expect((await ingest(directory, ...DELETE)).stdout).toContain('a.md: deleted');
      expect(await files()).toEqual(['apples.md', 'b/b.md', 'c.txt']);
    });

    it('knows a folder by the name it is given, wherever it is', async () => {
      await ingest(folder(THREE), '--source', 'fruit');
      const { 'a.md': a, 'c.txt': c } = THREE;
      const elsewhere = folder({ 'a.md': a, 'c.txt': c });
      expect((await ingest(elsewhere, ...DELETE)).stdout).not.toContain('deleted');
      await ingest(elsewhere, '--source', 'fruit', ...DELETE);
      expect(await files()).toEqual(['a.md', 'c.txt']);
    });

    it('deletes nothing where the folder is empty, or some of it was refused or failed', async () => {
      const directory = folder(THREE);
      await ingest(directory);
      rmSync(join(directory, 'a.md'));
      for (const [file, content] of Object.entries({ 'empty.md': '', 'bad.html': '<p> </p>' })) {
        write(directory, { [file]: content });
        const { code, stdout } = await ingest(directory, '--wait', ...DELETE);
        expect([code, stdout]).toEqual([1, expect.stringContaining('Nothing was deleted')]);
        rmSync(join(directory, file));
      }
      rmSync(directory, { recursive: true });
      mkdirSync(directory);
      const { code, stderr } = await ingest(directory, ...DELETE);
      expect([code, stderr]).toEqual([2, expect.stringContaining('has no documents')]);
      expect(await files()).toEqual(['a.md', 'b/b.md', 'bad.html', 'c.txt']);
    });

    it('asks first, and so needs a terminal or a yes', async () => {
      const { code, stderr } = await ingest(folder(THREE), '--delete-missing');
      expect([code, stderr]).toEqual([2, expect.stringContaining('--yes')]);
      expect(await files()).toEqual([]);
    });

    script.it('does as it is answered in a terminal', async () => {
      const directory = folder(THREE);
      await ingest(directory);
      rmSync(join(directory, 'c.txt'));
      const args = ['ingest', kbId, directory, '--delete-missing'];
      for (const no of ['\n', 'n\n']) {
        const { code, stdout } = await inTerminal(no, ...args);
        expect([code, stdout]).toEqual([0, expect.stringContaining('c.txt')]);
        expect(stdout).not.toContain('c.txt: deleted');
      }
      expect((await inTerminal('y\n', ...args)).stdout).toContain('c.txt: deleted');
      expect(await files()).toEqual(['a.md', 'b/b.md']);
    });
  });
});

import { symlinkSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { GitServer, hasGit } from '../../test/git-server.js';
import { describeKind, listed, SourceOpener } from '../../test/kind-suite.js';
import type { SourceContext } from '../source-kind.js';
import { toFileAddress } from './file-address.js';
import { git } from './git.js';
import type { GitConfig, GitCredentials } from './open-repository.js';

const describeWithGit = hasGit ? describe : describe.skip;

describeWithGit('git', () => {
  describeKind(async () => {
    const server = await GitServer.start();
    return {
      kind: git,
      config: { url: server.url },
      credentials: {},
      wrongConfig: { url: `${server.url}-missing` },
      takesRules: true,
      hasSidecars: true,
      put: (name: string, content: string) => {
        server.push({ [name]: content });
      },
      remove: (name: string) => {
        server.push({ [name]: null });
      },
      breakListing: () => {
        server.push({ 'five.md': 'fifth content' });
        server.intercept = ({ method }, response) => {
          if (method !== 'POST') return false;
          response.writeHead(500).end();
          return true;
        };
      },
      stop: () => server.stop(),
    };
  });

  const opener = new SourceOpener();
  let server: GitServer;

  beforeEach(async () => {
    server = await GitServer.start();
  });

  afterEach(async () => {
    await opener.close();
    await server.stop();
  });

  const open = (
    config: Partial<GitConfig> = {},
    more: Partial<SourceContext> = {},
    credentials: GitCredentials = {},
  ) => opener.open({ kind: git, config: { url: server.url, ...config }, credentials }, more);
  const paths = async (config?: Partial<GitConfig>, more?: Partial<SourceContext>) =>
    [...(await listed(await open(config, more))).keys()].sort();

  it('lists a folder of a branch', async () => {
    server.push({ 'docs/a.md': 'a', 'docs/deep/b.md': 'b', 'src/c.md': 'c', 'docs/film.mp4': 'd' });
    server.git('checkout', '-q', '-b', 'feature/x');
    server.push({ 'docs/e.md': 'e' });
    expect(await paths({ folder: 'docs' })).toEqual(['docs/a.md', 'docs/deep/b.md']);
    expect(await paths({ folder: 'docs', branch: 'feature/x' })).toContain('docs/e.md');
    await expect(paths({ folder: 'missing' })).rejects.toMatchObject({ code: 'not_found' });
    await expect(paths({ branch: 'missing' })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('has the rules of sidecars above its folder, and closes what a link for one is in', async () => {
    const rule = (name: string) => `access: {allow: [${name}]}`;
    server.push({ '.latchkey.yml': rule('group:staff'), 'docs/a.md': 'a', 'docs/hr/b.md': 'b' });
    symlinkSync('../../.latchkey.yml', join(server.workFolder, 'docs/hr/.latchkey.yml'));
    server.git('add', 'docs/hr/.latchkey.yml');
    server.git('commit', '-q', '-m', 'link');
    server.publish();
    const entries = await listed(await open({ folder: 'docs' }));
    expect([...entries].map(([key, { access }]) => [key, access]).sort()).toEqual([
      ['docs/a.md', { allow: ['group:staff'], deny: [] }],
      ['docs/hr/b.md', 'unreadable'],
    ]);
  });

  it('leaves links and submodules out, and says so', async () => {
    server.push({ 'a.md': 'a' });
    server.git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},module`);
    server.git('commit', '-q', '-m', 'module');
    symlinkSync('/etc/passwd', join(server.workFolder, 'link.md'));
    server.git('add', 'link.md');
    server.git('commit', '-q', '-m', 'link');
    server.publish();
    const warnings: string[] = [];
    expect(await paths({}, { warn: (message) => warnings.push(message) })).toEqual(['a.md']);
    expect(warnings).toEqual(['1 symbolic links are left out.', '1 submodules are left out.']);
  });

  it('refuses a few trees that make a billion paths', async () => {
    server.push({ 'a.md': 'a' });
    const read = (...args: string[]) => server.git(...args).trim();
    const name = (index: number) => String(index).padStart(4, '0');
    let entry = `100644 blob ${read('rev-parse', 'HEAD:a.md')}`;
    for (let level = 0; level < 3; level++) {
      const lines = Array.from({ length: 1000 }, (_, index) => `${entry}\t${name(index)}`);
      const tree = server.gitWith(lines.join('\n'), 'mktree').trim();
      entry = `040000 tree ${tree}`;
    }
    const commit = read('commit-tree', entry.slice(12), '-p', 'HEAD', '-m', 'many');
    server.git('reset', '-q', '--soft', commit);
    server.publish();
    await expect(paths()).rejects.toMatchObject({ code: 'too_many_documents' });
  });

  it('fetches only what has changed', async () => {
    server.push({ 'a.md': 'a', 'b.md': 'b' });
    const { workFolder } = await opener.context();
    const before = await listed(await open({}, { workFolder }));
    server.requests.length = 0;
    expect(await listed(await open({}, { workFolder }))).toEqual(before);
    expect(server.requests.filter((request) => request.includes('POST'))).toHaveLength(1);
    server.push({ 'b.md': 'b2' });
    const source = await open({}, { workFolder });
    const after = await listed(source);
    expect(after.get('a.md')).toEqual(before.get('a.md'));
    const entry = after.get('b.md');
    expect(entry?.version).not.toBe(before.get('b.md')?.version);
    if (entry) expect(await text((await source.load(entry)).body)).toBe('b2');
  });

  it('fetches anew what is damaged', async () => {
    server.push({ 'a.md': 'a', 'b.md': 'b' });
    const { workFolder } = await opener.context();
    const before = await listed(await open({}, { workFolder }));
    const packs = join(workFolder, 'repository', 'objects', 'pack');
    for (const name of await readdir(packs)) writeFileSync(join(packs, name), 'damaged');
    expect(await listed(await open({}, { workFolder }))).toEqual(before);
  });

  it('sends the token to the server of the repository, and tells it nobody', async () => {
    server.push({ 'a.md': 'a' });
    server.intercept = ({ headers }, response) => {
      const given = Buffer.from(String(headers.authorization).slice(6), 'base64').toString();
      if (given === 'oauth2:good-token') return false;
      response.writeHead(401).end();
      return true;
    };
    const listedWith = async (token: string) => listed(await open({}, {}, { token }));
    expect((await listedWith('good-token')).size).toBe(1);
    const failure: unknown = await listedWith('bad-token').catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'unauthorized' });
    expect(String(failure)).not.toContain('bad-token');
  });

  it.each([
    ['cut', (pack: Buffer) => pack.subarray(0, pack.length - 30)],
    [
      'changed',
      (pack: Buffer) => pack.fill(1, pack.indexOf('PACK') + 14, pack.indexOf('PACK') + 30),
    ],
    ['no pack', () => Buffer.from('<html>')],
  ])('refuses an answer that is %s', async (_name, change) => {
    server.push({ 'a.md': 'a'.repeat(100), 'b.md': 'b' });
    const changing = async (url: string | URL, init?: RequestInit) => {
      const response = await fetch(url, init);
      if (
        init?.method !== 'POST' ||
        !/pack-result/.test(response.headers.get('content-type') ?? '')
      ) {
        return response;
      }
      const body = Buffer.from(await response.arrayBuffer());
      if (body.includes('refs/heads')) return new Response(body, response);
      return new Response(new Uint8Array(change(body)), response);
    };
    await expect(paths({}, { fetch: changing })).rejects.toMatchObject({
      code: expect.stringMatching(/unreadable|unreachable/),
    });
  });
});

describe('toFileAddress', () => {
  it.each([
    ['https://github.com/o/r.git', 'https://github.com/o/r/blob/feature/x/docs/a%20b.md'],
    [
      'https://gitlab.example.org/g/r',
      'https://gitlab.example.org/g/r/-/blob/feature/x/docs/a%20b.md',
    ],
    ['https://bitbucket.org/o/r/', 'https://bitbucket.org/o/r/src/feature/x/docs/a%20b.md'],
    ['https://git.example.org/r.git', ''],
  ])('of %s is %s', (url, address) => {
    expect(toFileAddress(url, 'feature/x', 'docs/a b.md')).toBe(address);
  });
});

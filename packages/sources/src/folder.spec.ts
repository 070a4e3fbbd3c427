import { mkdir, mkdtemp, realpath, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { describeKind } from '../test/kind-suite.js';
import { folder } from './folder.js';
import {
  InvalidSource,
  type OpenSource,
  type SourceContext,
  type SourceEntry,
  SourceError,
} from './source-kind.js';

let root: string;
let path: string;

beforeEach(async () => {
  warnings = [];
  root = await realpath(await mkdtemp(join(tmpdir(), 'folder-')));
  path = join(root, 'docs');
  await mkdir(join(path, 'a', 'b'), { recursive: true });
});

afterEach(() => rm(root, { recursive: true }));

let warnings: string[];

const context = (maxEntries = 100): SourceContext => ({
  signal: new AbortController().signal,
  fetch,
  resolve: (host: string) => Promise.resolve(host),
  limits: { maxEntries, maxBytes: 1000 },
  workFolder: root,
  runFolder: root,
  userAgent: 'test',
  warn: (message) => warnings.push(message),
});

const opened = (maxEntries?: number) => folder([root]).open({ path }, {}, context(maxEntries));

const list = async (source: OpenSource) => {
  const entries = new Map<string, SourceEntry>();
  for await (const entry of source.list()) entries.set(entry.key, entry);
  return entries;
};

const keys = async () => [...(await list(await opened())).keys()].sort();

describeKind(async () => {
  const folders = await realpath(await mkdtemp(join(tmpdir(), 'folders-')));
  const docs = join(folders, 'docs');
  await mkdir(docs);
  return {
    kind: folder([folders]),
    config: { path: docs },
    credentials: {},
    wrongConfig: { path: join(folders, 'missing') },
    takesRules: true,
    hasSidecars: true,
    put: async (name, content) => {
      await mkdir(dirname(join(docs, name)), { recursive: true });
      await writeFile(join(docs, name), content);
    },
    remove: (name) => rm(join(docs, name)),
    // A place that is away, such as a disk that is not mounted.
    breakListing: () => rename(docs, join(folders, 'away')),
    stop: () => rm(folders, { recursive: true }),
  };
});

describe('folder', () => {
  it('lists files of all directories below it, hidden ones left out', async () => {
    for (const name of ['one.md', 'a/two.md', 'a/b/three.md', '.hidden', 'a/.git']) {
      await writeFile(join(path, name), name);
    }
    expect(await keys()).toEqual(['a/b/three.md', 'a/two.md', 'one.md']);
  });

  it('has the rules of sidecars above it, within the folders that are allowed', async () => {
    await writeFile(join(root, '.latchkey.yml'), 'access: {allow: [group:staff]}');
    await writeFile(join(path, 'a.md'), 'a');
    await writeFile(join(path, 'a/b.md'), 'b');
    await symlink(join(root, '.latchkey.yml'), join(path, 'a', '.latchkey.yml'));
    const source = await opened();
    expect(await source.readSidecars?.()).toMatchObject({
      sidecars: [{ folder: '..' }, { folder: 'a' }],
      problems: [{ key: 'a/.latchkey.yml', message: expect.stringContaining('no file') }],
    });
    const entries = await list(source);
    expect(entries.get('a.md')?.access).toEqual({ allow: ['group:staff'], deny: [] });
    expect(entries.get('a/b.md')?.access).toBe('unreadable');
    await writeFile(join(root, '.latchkey.yml'), 'access: {allow: [everyone]}');
    expect((await list(source)).get('a.md')?.access).toBe('unreadable');
  });

  it('follows no link, and says so', async () => {
    await writeFile(join(root, 'secret'), 'secret');
    await symlink(join(root, 'secret'), join(path, 'link'));
    await symlink(root, join(path, 'up'));
    expect([await keys(), warnings]).toEqual([[], ['2 symbolic links are left out.']]);
  });

  it('loads a file, and refuses one that became a link since it was listed', async () => {
    await writeFile(join(path, 'a/one.md'), 'content');
    const source = await opened();
    const entry = (await list(source)).get('a/one.md');
    if (!entry) throw new Error('not listed');
    expect(await text((await source.load(entry)).body)).toBe('content');
    await mkdir(join(root, 'outside'));
    await writeFile(join(root, 'outside/one.md'), 'secret');
    await rename(join(path, 'a'), join(root, 'moved'));
    await symlink(join(root, 'outside'), join(path, 'a'));
    await expect(source.load(entry)).rejects.toThrow(SourceError);
  });

  it('loads no file that was changed since it was listed', async () => {
    await writeFile(join(path, 'one.md'), 'before');
    const source = await opened();
    const entry = (await list(source)).get('one.md');
    if (!entry) throw new Error('not listed');
    await writeFile(join(path, 'one.md'), 'after');
    await expect(source.load(entry)).rejects.toMatchObject({ code: 'changed_while_reading' });
  });

  it('gives a changed file another version, also with the former time and size', async () => {
    const file = join(path, 'one.md');
    await writeFile(file, 'before');
    await utimes(file, 1000, 1000);
    const source = await opened();
    const before = (await list(source)).get('one.md');
    expect((await list(source)).get('one.md')).toEqual(before);
    await writeFile(file, 'behind');
    await utimes(file, 1000, 1000);
    expect((await list(source)).get('one.md')?.version).not.toBe(before?.version);
  });

  it('refuses to list more files than the limit, and a folder that is gone', async () => {
    for (const name of ['1', '2', '3']) await writeFile(join(path, name), name);
    await expect(list(await opened(2))).rejects.toMatchObject({ code: 'too_many_documents' });
    const source = await opened();
    await rename(path, join(root, 'gone'));
    await expect(list(source)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is below one of the folders that are allowed, links resolved', async () => {
    const parse = (config: unknown, roots = [root]) => folder(roots).parse(config, undefined);
    expect(parse({ path }).config).toEqual({ path });
    for (const config of [{ path: '/etc' }, { path: `${root}/../x` }, { path: 'docs' }, {}, 1]) {
      expect(() => parse(config)).toThrow(InvalidSource);
    }
    expect(() => parse({ path, depth: 1 })).toThrow('config.depth is unknown');
    expect(() => parse({ path }, [])).toThrow(InvalidSource);
    await symlink('/etc', join(root, 'etc'));
    const link = { path: join(root, 'etc') };
    await expect(folder([root]).open(link, {}, context())).rejects.toThrow(SourceError);
  });
});

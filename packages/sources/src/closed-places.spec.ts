import { link, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ClosedPlaces } from './closed-places.js';
import { folder } from './folder.js';
import { type SourceContext, SourceError } from './source-kind.js';

let root: string;
const at = (...names: string[]) => join(root, ...names);

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'closed-')));
  await mkdir(at('srv', 'docs'), { recursive: true });
  await mkdir(at('srv', 'data', 'uploads'), { recursive: true });
  await writeFile(at('srv', 'data', 'pepper'), 'secret');
  await writeFile(at('srv', 'docs', 'a.md'), 'A');
});

afterEach(() => rm(root, { recursive: true }));

describe(ClosedPlaces, () => {
  const overlaps = async (path: string, closed = at('srv', 'data')) =>
    (await ClosedPlaces.find([closed])).overlap(path);

  it('are told by real path, in either direction', async () => {
    await symlink(at('srv', 'data'), at('to-data'));
    await symlink(at('srv'), at('to-srv'));
    const found = [];
    for (const path of [
      ...[at('srv'), at('srv', 'data'), at('srv', 'data', 'uploads'), at('to-data'), at('to-srv')],
      ...[at('to-srv', 'data', 'uploads'), `${at('srv')}/docs/../data/`, root, '/'],
    ]) {
      found.push(await overlaps(path), await overlaps(path, at('to-data')));
    }
    expect(found).toEqual(found.map(() => true));
    expect(await overlaps(at('srv', 'docs'))).toBe(false);
    expect(await overlaps(at('srv', 'data-of-others'))).toBe(false);
  });

  it('need not be there yet', async () => {
    expect(await overlaps(at('srv'), at('srv', 'new', 'data'))).toBe(true);
    expect(await overlaps(at('srv', 'docs'), at('srv', 'new', 'data'))).toBe(false);
    expect(await overlaps(at('srv', 'data', 'new'))).toBe(true);
    expect(await overlaps(at('missing'))).toBe(false);
  });

  it('may be files', async () => {
    expect(await overlaps(at('srv', 'docs'), at('srv', 'docs', 'a.md'))).toBe(true);
    expect(await overlaps(at('srv', 'docs'), at('srv', 'docs', 'new.jsonl'))).toBe(true);
    expect(await overlaps(at('srv', 'docs'), at('srv', 'data', 'pepper'))).toBe(false);
  });
});

describe('a folder that has closed places in it', () => {
  const run = async () => {
    const context: SourceContext = {
      ...{
        signal: new AbortController().signal,
        fetch,
        resolve: (host: string) => Promise.resolve(host),
        workFolder: root,
        runFolder: root,
        userAgent: 'test',
      },
      ...{ limits: { maxEntries: 100, maxBytes: 1000 }, warn: () => undefined },
    };
    const kind = folder([at('srv')], [at('srv', 'data')]);
    const opened = await kind.open({ path: at('srv', 'docs') }, {}, context);
    const keys = [];
    for await (const { key } of opened.list()) keys.push(key);
    return keys;
  };
  const refused = new SourceError(
    'not_allowed',
    'The folder has data of the service in it, or is within them.',
  );

  it('is read as long as nothing leads there', async () => {
    await symlink(at('srv', 'data'), at('srv', 'docs', 'link'));
    await symlink(at('srv', 'data', 'pepper'), at('srv', 'docs', 'link.md'));
    expect(await run()).toEqual(['a.md']);
  });

  it('is not read when a file in it is one of theirs', async () => {
    await mkdir(at('srv', 'docs', 'deep'));
    await link(at('srv', 'data', 'pepper'), at('srv', 'docs', 'deep', 'pepper.md'));
    await expect(run()).rejects.toEqual(refused);
  });

  it.each([
    ['became a link to them', () => symlink(at('srv', 'data'), at('srv', 'docs'))],
    ['became a link into them', () => symlink(at('srv', 'data', 'uploads'), at('srv', 'docs'))],
    ['became a link to what contains them', () => symlink(at('srv'), at('srv', 'docs'))],
  ])('is not read after it %s', async (_what, change) => {
    await rm(at('srv', 'docs'), { recursive: true });
    await change();
    await expect(run()).rejects.toEqual(refused);
  });
});

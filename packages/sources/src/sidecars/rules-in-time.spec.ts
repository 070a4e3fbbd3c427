import { lstatSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { BucketServer, CREDENTIALS } from '../../test/bucket-server.js';
import { CREDENTIALS as DAV_CREDENTIALS, DavServer } from '../../test/dav-server.js';
import { listed, SourceOpener } from '../../test/kind-suite.js';
import { folder } from '../folder.js';
import { s3 } from '../s3/s3.js';
import { type OpenSource, type SourceEntry, SourceError } from '../source-kind.js';
import { webdav } from '../webdav/webdav.js';
import { SIDECAR } from './sidecar.js';

const RUNS = 60;
const READERS = ['user:ann', 'user:bob', 'user:eve'];
const FOLDERS = ['', 'a', 'a/b', 'c'];
const FILES = ['a/b/1.md', 'a/b/2.md', 'a/3.md', 'a/zz.md', 'c/4.md', '!5.md', 'x.md'];

/** Numbers from 0 to below `limit` that are the same at each run of the test. */
function randomNumbers(seed: number) {
  let state = seed * 2_654_435_761 + 1;
  return (limit: number) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9) >>> 0;
    return Math.floor(((state ^ (state >>> 13)) >>> 0) % limit);
  };
}

/** Readers of a document by the sidecars above it; `undefined` stands for one without a rule. */
type Readers = ReadonlySet<string>;

/**
 * A source that is changed by chance. It knows for each content who was allowed to read it at any time since
 * `begin`.
 */
class ChangingSource {
  readonly sidecars = new Map<string, string>();
  readonly files = new Map<string, { version: string; tagged: Readers | undefined }>();
  private allowed = new Map<string, Set<string>>();
  private count = 0;

  constructor(
    private readonly random: (limit: number) => number,
    private readonly write: (key: string, content: string | undefined, tag?: string) => string,
    private readonly hasTags: boolean,
  ) {}

  change(): void {
    const pick = <T>(from: readonly T[]) => from[this.random(from.length)] as T;
    if (this.random(2) === 0) {
      const at = pick(FOLDERS);
      const texts = [
        'access: {',
        `access: {allow: [${pick(READERS)}]}`,
        'access: {allow: [everyone]}',
        undefined,
      ];
      this.setSidecar(at, pick(texts));
    } else this.setFile(pick(FILES), this.random(6) === 0, pick([undefined, ...READERS]));
    this.note();
  }

  begin(): void {
    this.allowed = new Map();
    this.note();
  }

  mayHaveRead(key: string, version: string): string[] {
    return [...(this.allowed.get(`${key} ${version}`) ?? [])].sort();
  }

  private setSidecar(at: string, text: string | undefined): void {
    this.write(at === '' ? SIDECAR : `${at}/${SIDECAR}`, text);
    if (text === undefined) this.sidecars.delete(at);
    else this.sidecars.set(at, text);
  }

  private setFile(key: string, isRemoved: boolean, tag: string | undefined): void {
    const version = this.write(key, isRemoved ? undefined : `content ${++this.count}`, tag);
    const tagged = this.hasTags ? new Set(tag === undefined ? [] : [tag]) : undefined;
    if (isRemoved) this.files.delete(key);
    else this.files.set(key, { version, tagged });
  }

  private note(): void {
    for (const [key, { version, tagged }] of this.files) {
      const now = READERS.filter(
        (reader) => this.allows(key, reader) && (tagged?.has(reader) ?? true),
      );
      const name = `${key} ${version}`;
      this.allowed.set(name, new Set([...(this.allowed.get(name) ?? []), ...now]));
    }
  }

  private allows(key: string, reader: string): boolean {
    const above = FOLDERS.filter((at) => at === '' || key.startsWith(`${at}/`));
    const texts = above.flatMap((at) => this.sidecars.get(at) ?? []);
    if (texts.some((text) => text.endsWith('{'))) return false;
    const nearest = texts.at(-1);
    return nearest === undefined || nearest.includes('everyone') || nearest.includes(reader);
  }
}

async function expectNeverWider(source: ChangingSource, open: OpenSource): Promise<number> {
  await open.readSidecars?.();
  let readable = 0;
  for (const entry of (await listed(open)).values()) {
    const { key, version, access } = entry;
    const isRead = (reader: string) =>
      access === undefined ||
      (access !== 'unreadable' &&
        (access.allow.includes('everyone') || access.allow.includes(reader)));
    const readers = READERS.filter(isRead);
    readable += readers.length;
    const wider = readers.filter((reader) => !source.mayHaveRead(key, version).includes(reader));
    // A file can come and go under a rule that comes and goes while its folder is listed. Nobody gets what is gone.
    if (wider.length > 0 && !(await isThere(open, entry))) continue;
    expect({ key, wider, rules: [...source.sidecars] }).toEqual({
      key,
      wider: [],
      rules: [...source.sidecars],
    });
  }
  return readable;
}

async function isThere(open: OpenSource, entry: SourceEntry): Promise<boolean> {
  try {
    (await open.load(entry)).body.destroy();
    return true;
  } catch (error) {
    if (error instanceof SourceError) return false;
    throw error;
  }
}

describe('a source that is changed while it is listed', () => {
  const opener = new SourceOpener();
  const ends: (() => void | Promise<void>)[] = [];

  afterEach(async () => {
    await opener.close();
    for (const end of ends.splice(0)) await end();
  });

  it.each([
    ['sidecars', false],
    ['sidecars and tags', true],
  ])('opens nothing of a bucket further than its %s did at that time', async (_what, hasTags) => {
    const server = await BucketServer.start();
    ends.push(() => server.stop());
    const random = randomNumbers(7);
    const source = new ChangingSource(
      random,
      (key, content, tag) => {
        if (content === undefined) server.objects.delete(key);
        else server.objects.set(key, content);
        server.tags.set(key, tag === undefined ? {} : { readers: tag });
        return createHash('md5')
          .update(content ?? '')
          .digest('hex');
      },
      hasTags,
    );
    server.intercept = () => {
      if (random(3) === 0) source.change();
      return false;
    };
    let readable = 0;
    for (let run = 0; run < RUNS; run++) {
      for (let times = random(4); times >= 0; times--) source.change();
      source.begin();
      const config = { ...server.config, ...(hasTags && { access_tags: { allow: 'readers' } }) };
      readable += await expectNeverWider(
        source,
        await opener.open({ kind: s3, config, credentials: CREDENTIALS }),
      );
    }
    expect(readable).toBeGreaterThan(20);
  });

  it('opens nothing of a server with WebDAV further than its sidecars did at that time', async () => {
    const server = await DavServer.start();
    ends.push(() => server.stop());
    for (const at of FOLDERS) server.files.set(at === '' ? '.kept' : `${at}/.kept`, '');
    const random = randomNumbers(5);
    const source = new ChangingSource(
      random,
      (key, content) => {
        if (content === undefined) server.files.delete(key);
        else server.files.set(key, content);
        return server.versionOf(key);
      },
      false,
    );
    server.intercept = () => {
      if (random(3) === 0) source.change();
      return false;
    };
    let readable = 0;
    for (let run = 0; run < RUNS; run++) {
      for (let times = random(4); times >= 0; times--) source.change();
      source.begin();
      readable += await expectNeverWider(
        source,
        await opener.open({ kind: webdav, config: server.config, credentials: DAV_CREDENTIALS }),
      );
    }
    expect(readable).toBeGreaterThan(20);
  });

  it('opens nothing of a folder further than its sidecars did at that time', async () => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'changing-')));
    ends.push(() => {
      rmSync(root, { recursive: true });
    });
    const random = randomNumbers(3);
    const source = new ChangingSource(
      random,
      (key, content) => {
        const path = join(root, key);
        mkdirSync(dirname(path), { recursive: true });
        rmSync(path, { force: true });
        if (content === undefined) return '';
        writeFileSync(path, content);
        const { ino, size, mtimeNs, ctimeNs } = lstatSync(path, { bigint: true });
        return [ino, size, mtimeNs, ctimeNs].join('-');
      },
      false,
    );
    let readable = 0;
    for (let run = 0; run < RUNS; run++) {
      for (let times = random(4); times >= 0; times--) source.change();
      source.begin();
      const open = await opener.open({
        kind: folder([root]),
        config: { path: root },
        credentials: {},
      });
      const over = new AbortController();
      const changes = (async () => {
        while (!over.signal.aborted) {
          if (random(12) === 0) source.change();
          await new Promise(setImmediate);
        }
      })();
      try {
        readable += await expectNeverWider(source, open);
      } finally {
        over.abort();
        await changes;
      }
    }
    expect(readable).toBeGreaterThan(20);
  });
});

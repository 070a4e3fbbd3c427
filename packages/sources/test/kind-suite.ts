import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  InvalidSource,
  type OpenSource,
  type SourceContext,
  type SourceEntry,
  type SourceFetch,
  SourceError,
  type SourceKind,
} from '../src/source-kind.js';

/** A source that a test can change. */
export interface SourceFixture<C, S> {
  readonly kind: SourceKind<C, S>;
  readonly config: C;
  readonly credentials: S;
  /** The `fetch` of Node.js by default. */
  readonly fetch?: SourceFetch;
  /** A configuration that leads nowhere. */
  readonly wrongConfig: C;
  /** Whether its configuration has rules by path. */
  readonly takesRules?: true;
  /** Whether its documents are in folders, in which files say who may read them. */
  readonly hasSidecars?: true;
  /** Adds or replaces a document. */
  put(name: string, content: string): Promise<void> | void;
  remove(name: string): Promise<void> | void;
  /** Makes every listing fail halfway. */
  breakListing(): Promise<void> | void;
  stop(): Promise<void> | void;
}

const LIMITS = { maxEntries: 100, maxBytes: 10_000 };

/** Opens sources with separate folders, which are removed at the end of the test. */
export class SourceOpener {
  private readonly folders: string[] = [];
  private readonly sources: OpenSource[] = [];

  async context(
    more: Partial<SourceContext> = {},
  ): Promise<SourceContext & { warnings: string[] }> {
    const workFolder = await mkdtemp(join(tmpdir(), 'source-'));
    const runFolder = await mkdtemp(join(tmpdir(), 'source-run-'));
    this.folders.push(workFolder, runFolder);
    const warnings: string[] = [];
    return {
      signal: new AbortController().signal,
      fetch,
      resolve: (host) => Promise.resolve(host),
      limits: LIMITS,
      workFolder,
      runFolder,
      userAgent: 'Latchkey-Test/1',
      warn: (message) => warnings.push(message),
      warnings,
      ...more,
    };
  }

  async open<C, S>(
    {
      kind,
      config,
      credentials,
      fetch: given = fetch,
    }: Pick<SourceFixture<C, S>, 'kind' | 'config' | 'credentials' | 'fetch'>,
    more: Partial<SourceContext> = {},
  ): Promise<OpenSource> {
    const source = await kind.open(
      config,
      credentials,
      await this.context({ fetch: given, ...more }),
    );
    this.sources.push(source);
    return source;
  }

  async close(): Promise<void> {
    for (const source of this.sources.splice(0)) await source.close?.();
    const remove = (folder: string) => rm(folder, { recursive: true, force: true });
    await Promise.all(this.folders.splice(0).map(remove));
  }
}

export async function listed(source: OpenSource): Promise<Map<string, SourceEntry>> {
  const entries = new Map<string, SourceEntry>();
  for await (const entry of source.list()) entries.set(entry.key, entry);
  return entries;
}

/** Tests that apply to every kind of source. */
export function describeKind<C, S>(start: () => Promise<SourceFixture<C, S>>): void {
  describe('like any kind of sources', () => {
    const opener = new SourceOpener();
    let fixture: SourceFixture<C, S>;

    beforeEach(async () => {
      fixture = await start();
      await fixture.put('one.md', 'first content');
      await fixture.put('two.md', 'second content');
      await fixture.put('three.md', 'third content');
    });

    afterEach(async () => {
      await opener.close();
      await fixture.stop();
    });

    const list = async () => listed(await opener.open(fixture));
    const named = (entries: Map<string, SourceEntry>, name: string): SourceEntry => {
      const entry = [...entries.values()].find(({ key, url, title }) =>
        [key, url, title].some((value) => value?.includes(name)),
      );
      if (!entry) throw new Error(`${name} is not listed`);
      return entry;
    };

    it('lists every document with a key and a version', async () => {
      const entries = [...(await list()).values()];
      expect(entries.length).toBeGreaterThanOrEqual(3);
      for (const { key, version, unavailable } of entries) {
        expect(unavailable).toBeUndefined();
        expect(key.length).toBeGreaterThan(0);
        expect(key.length).toBeLessThanOrEqual(1000);
        expect(version.length).toBeGreaterThan(0);
        expect(version.length).toBeLessThanOrEqual(255);
      }
    });

    it('gives another version to what has changed, and to nothing else', async () => {
      const before = await list();
      await fixture.put('two.md', 'changed content');
      const after = await list();
      expect(named(after, 'two').version).not.toBe(named(before, 'two').version);
      expect(named(after, 'two').key).toBe(named(before, 'two').key);
      expect(named(after, 'one').version).toBe(named(before, 'one').version);
    });

    it('lists what was added, and no longer what was deleted', async () => {
      await list();
      await fixture.remove('two.md');
      await fixture.put('four.md', 'fourth content');
      const after = await list();
      expect(() => named(after, 'two')).toThrow();
      expect(named(after, 'four')).toBeDefined();
    });

    it('loads the content of what it listed', async () => {
      const source = await opener.open(fixture);
      const entries = await listed(source);
      for (const [name, content] of Object.entries({ one: 'first', two: 'second' })) {
        const { body } = await source.load(named(entries, name));
        expect(await text(body)).toContain(`${content} content`);
      }
    });

    it('fails to load what is gone since, in words, and goes on with the others', async () => {
      const source = await opener.open(fixture);
      const entries = await listed(source);
      await fixture.remove('two.md');
      const load = async (name: string) => text((await source.load(named(entries, name))).body);
      // The content that was read during the listing may be returned, too.
      const outcome = await load('two').catch((error: unknown) => error);
      if (typeof outcome !== 'string') expect(outcome).toBeInstanceOf(SourceError);
      expect(await load('one')).toContain('first content');
    });

    it('throws when the listing fails within', async () => {
      await list();
      await fixture.breakListing();
      await expect(list()).rejects.toBeInstanceOf(SourceError);
    });

    it('throws when there are more documents than the limit', async () => {
      const source = await opener.open(fixture, { limits: { ...LIMITS, maxEntries: 1 } });
      await expect(listed(source)).rejects.toMatchObject({ code: 'too_many_documents' });
    });

    it('ends when the run is aborted', async () => {
      const aborter = new AbortController();
      const source = await opener.open(fixture, { signal: aborter.signal });
      aborter.abort();
      await expect(listed(source)).rejects.toThrow();
    });

    it('gives no document that is larger than the limit', async () => {
      await fixture.put('two.md', 'x'.repeat(2 * LIMITS.maxBytes));
      const source = await opener.open(fixture);
      const entry = named(await listed(source), 'two');
      const size = async () => (await text((await source.load(entry)).body)).length;
      const isRefused =
        entry.unavailable !== undefined ||
        (entry.size ?? 0) > LIMITS.maxBytes ||
        (await size().then(
          () => false,
          (error: unknown) => error instanceof SourceError && error.code === 'too_large',
        ));
      expect(isRefused).toBe(true);
    });

    it('says whether it can be reached', async () => {
      const { kind, config, credentials, wrongConfig, fetch: given = fetch } = fixture;
      await expect(
        kind.test(config, credentials, await opener.context({ fetch: given })),
      ).resolves.toBeUndefined();
      await expect(
        kind.test(wrongConfig, credentials, await opener.context({ fetch: given })),
      ).rejects.toBeInstanceOf(SourceError);
    });

    it('gives a document the rule of its path, if its configuration has rules', async () => {
      const { kind, config, credentials, takesRules } = fixture;
      const access = { 'one.md': { allow: ['user:ada'], deny: ['group:guests'] } };
      const parse = () => kind.parse({ ...config, access }, credentials);
      if (takesRules !== true) {
        expect(parse).toThrow(InvalidSource);
        return;
      }
      const entries = await listed(await opener.open({ ...fixture, config: parse().config }));
      expect(named(entries, 'one').access).toEqual(access['one.md']);
      expect(named(entries, 'two').access).toBeUndefined();
    });

    it('gives documents the rules of sidecars, which are no documents, if it has folders', async () => {
      if (fixture.hasSidecars !== true) return;
      const read = async () => {
        const source = await opener.open(fixture);
        const report = await source.readSidecars?.();
        return { report, entries: await listed(source) };
      };
      await fixture.put('.latchkey.yml', 'access: {allow: [group:staff]}');
      await fixture.put('deep/.latchkey.yml', 'access: {allow: [user:ada]');
      await fixture.put('deep/four.md', 'fourth content');
      const before = await read();
      expect(before.entries.size).toBe(4);
      expect(named(before.entries, 'one').access).toEqual({ allow: ['group:staff'], deny: [] });
      expect(named(before.entries, 'four').access).toBe('unreadable');
      expect(before.report?.problems).toMatchObject([
        { key: expect.stringMatching(/deep\/\.latchkey\.yml$/) },
      ]);
      await fixture.put('deep/.latchkey.yml', 'files: {four.md: {access: {allow: [user:ada]}}}');
      await fixture.remove('.latchkey.yml');
      const after = await read();
      expect(named(after.entries, 'one')).toEqual({
        ...named(before.entries, 'one'),
        access: undefined,
      });
      expect(named(after.entries, 'four')).toEqual({
        ...named(before.entries, 'four'),
        access: { allow: ['user:ada'], deny: [] },
      });
      expect(after.report).toMatchObject({
        sidecars: [{ names: [{ isFound: true }] }],
        problems: [],
      });
    });

    it('accepts what it keeps, and refuses unknown fields', () => {
      const { kind, config, credentials } = fixture;
      expect(kind.parse(config, credentials)).toEqual({ config, credentials });
      expect(() => kind.parse({ ...config, unknown: 1 }, credentials)).toThrow(InvalidSource);
      expect(() => kind.parse(config, { ...credentials, unknown: 1 })).toThrow(InvalidSource);
      for (const value of [null, 1, 'text', []]) {
        expect(() => kind.parse(value, credentials)).toThrow(InvalidSource);
      }
    });
  });
}

import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { BucketServer, CREDENTIALS } from '../../test/bucket-server.js';
import { describeKind, listed, SourceOpener } from '../../test/kind-suite.js';
import type { S3Config } from './bucket.js';
import { s3 } from './s3.js';

describeKind(async () => {
  const server = await BucketServer.start();
  return {
    kind: s3,
    config: server.config,
    credentials: CREDENTIALS,
    wrongConfig: { ...server.config, bucket: 'missing' },
    takesRules: true,
    hasSidecars: true,
    put: (name, content) => void server.objects.set(name, content),
    remove: (name) => void server.objects.delete(name),
    breakListing: () => {
      server.intercept = (_request, response, { searchParams }) => {
        if (!searchParams.has('continuation-token')) return false;
        response.writeHead(500).end('<Error><Code>InternalError</Code></Error>');
        return true;
      };
    },
    stop: () => server.stop(),
  };
});

describe('s3', () => {
  const opener = new SourceOpener();
  let server: BucketServer;

  beforeEach(async () => {
    server = await BucketServer.start();
  });

  afterEach(async () => {
    await opener.close();
    await server.stop();
  });

  const open = (config: Partial<S3Config> = {}, credentials = CREDENTIALS) =>
    opener.open({ kind: s3, config: { ...server.config, ...config }, credentials });
  const keys = async (config?: Partial<S3Config>) => [...(await listed(await open(config))).keys()];

  it('lists what begins with the prefix, and no folders and files that cannot be read', async () => {
    for (const key of ['a/one.md', 'a/', 'a/film.mp4', 'a/b/two.pdf', 'ab.md', 'a/../x.md']) {
      server.objects.set(key, key);
    }
    expect(await keys({ prefix: 'a/' })).toEqual(['a/b/two.pdf', 'a/one.md']);
  });

  it.each([
    ['elements', '<a/>'.repeat(50_001)],
    ['levels', `${'<a>'.repeat(50)}${'</a>'.repeat(50)}`],
  ])('refuses a listing of too many %s', async (_name, xml) => {
    server.intercept = (_request, response) => {
      response.end(`<ListBucketResult>${xml}</ListBucketResult>`);
      return true;
    };
    await expect(keys()).rejects.toMatchObject({ code: 'incomplete_listing' });
  });

  it('signs keys of any characters', async () => {
    const names = ["it's (100%) + more?.md", 'täglich/知识 库.md', 'a&b=c#d;e.md', 'x*~!.md'];
    for (const key of names) server.objects.set(key, key);
    const source = await open();
    for (const entry of (await listed(source)).values()) {
      expect(await text((await source.load(entry)).body)).toBe(entry.key);
    }
    expect(await keys()).toEqual(names.sort());
    expect(await keys({ prefix: "it's (" })).toEqual(["it's (100%) + more?.md"]);
  });

  it('loads no object that was changed since it was listed', async () => {
    server.objects.set('one.md', 'before');
    const source = await open();
    const [entry] = (await listed(source)).values();
    server.objects.set('one.md', 'after');
    if (!entry) throw new Error('nothing is listed');
    await expect(source.load(entry)).rejects.toMatchObject({ code: 'changed_while_reading' });
    // A store that does not know the condition.
    server.intercept = (_request, response) => {
      response.writeHead(200, { etag: '"other"' }).end('after');
      return true;
    };
    await expect(source.load(entry)).rejects.toMatchObject({ code: 'changed_while_reading' });
  });

  it('says what is wrong without a secret', async () => {
    const source = await open({}, { ...CREDENTIALS, secret_access_key: 'wrong-secret' });
    const failure: unknown = await listed(source).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'unauthorized' });
    expect(String(failure)).not.toContain('wrong-secret');
    await expect(keys({ bucket: 'other' })).rejects.toMatchObject({ code: 'not_found' });
    await expect(keys({ region: 'eu-other-1' })).rejects.toMatchObject({ code: 'unauthorized' });
  });

  it('knows that what a listing lost is there', async () => {
    server.objects.set('one.md', '1');
    const source = await open();
    expect(await source.isGone?.('one.md')).toBe(false);
    expect(await source.isGone?.('two.md')).toBe(true);
  });

  /** Answers every request with what the store would answer to the first one, changed. */
  const answerWith = (change: (xml: string) => string) => {
    for (const key of ['1.md', '2.md', '3.md']) server.objects.set(key, key);
    const listing = server.firstPage();
    server.intercept = (_request, response) => {
      response.end(change(listing));
      return true;
    };
  };

  it.each([
    ['is cut', (xml: string) => xml.slice(0, -30)],
    [
      'has fewer objects than it says',
      (xml: string) => xml.replace(/<Contents>.*?<\/Contents>/, ''),
    ],
    ['does not say how it goes on', (xml: string) => xml.replace(/<Next.*Token>/, '')],
    ['is something else', () => '<html></html>'],
    ['is empty', () => ''],
    ['begins again and again', (xml: string) => xml],
  ])('refuses a listing that %s', async (_name, change) => {
    answerWith(change);
    await expect(keys()).rejects.toMatchObject({ code: 'incomplete_listing' });
  });

  it('says that the clocks differ, rather than that the credentials are wrong', async () => {
    server.intercept = (_request, response) => {
      response.writeHead(403).end('<Error><Code>RequestTimeTooSkewed</Code></Error>');
      return true;
    };
    await expect(keys()).rejects.toMatchObject({
      ...{ code: 'unauthorized', message: expect.stringContaining('clocks') },
    });
  });

  it('waits when the store asks for it', async () => {
    server.objects.set('one.md', '1');
    let refusals = 2;
    server.intercept = (_request, response) => {
      if (refusals-- <= 0) return false;
      response.writeHead(503, { 'retry-after': '0' }).end();
      return true;
    };
    expect(await keys()).toEqual(['one.md']);
  });

  describe('with tags that say who may read', () => {
    const tags = { allow: 'readers', deny: 'not' };
    const access = async (config: Partial<S3Config> = {}) =>
      Object.fromEntries(
        [...(await listed(await open({ access_tags: tags, ...config })))].map(([key, entry]) => [
          key,
          entry.access,
        ]),
      );
    const nobody = { allow: [], deny: [] };

    it('has their rules, also when they change alone, and those of the map', async () => {
      for (const key of ['one.md', 'two.md', 'three.md', 'four.md']) server.objects.set(key, key);
      server.tags.set('one.md', { readers: 'group:hr  user:ann', not: 'user:bob', other: '1' });
      server.tags.set('two.md', { readers: 'everyone' });
      server.tags.set('three.md', { readers: 'hr' });
      const hr = { allow: ['group:hr', 'user:ann'], deny: ['user:bob'] };
      const everyone = { allow: ['everyone'], deny: [] };
      const others = { 'three.md': 'unreadable', 'four.md': nobody };
      expect(await access()).toEqual({ 'one.md': hr, 'two.md': everyone, ...others });
      server.tags.set('two.md', { readers: 'user:ann' });
      const ann = { allow: ['user:ann'], deny: [] };
      expect(await access()).toEqual({ 'one.md': hr, 'two.md': ann, ...others });
      expect(
        await access({ access: { 'one.md': { allow: ['user:ann'], deny: [] } } }),
      ).toMatchObject({
        'one.md': { allow: ['user:ann'], deny: ['user:bob'] },
      });
      const requests = server.requests.filter((one) => one.includes('tagging'));
      expect(requests).toHaveLength(3 * 4);
    });

    it.each([
      ['are refused', 403, '<Error><Code>AccessDenied</Code></Error>', 'unreadable'],
      ['are not known to the store', 501, '', 'unreadable'],
      ['are no tags', 200, '<html></html>', 'unreadable'],
      [
        'are cut',
        200,
        '<Tagging><TagSet><Tag><Key>readers</Key><Value>everyone</Value>',
        'unreadable',
      ],
      ['are none', 404, '<Error><Code>NoSuchTagSet</Code></Error>', nobody],
    ])('opens nothing if they %s', async (_what, status, body, expected) => {
      server.objects.set('one.md', '1');
      server.intercept = (_request, response, { search }) => {
        if (!search.includes('tagging')) return false;
        response.writeHead(status).end(body);
        return true;
      };
      expect(await access()).toEqual({ 'one.md': expected });
    });

    it('fails as a whole if the store does', async () => {
      server.objects.set('one.md', '1');
      server.intercept = (_request, response, { search }) => {
        if (!search.includes('tagging')) return false;
        response.writeHead(500).end();
        return true;
      };
      await expect(access()).rejects.toMatchObject({ code: 'unreachable' });
    });

    it.each([
      {},
      { deny: 'x' },
      { allow: '' },
      { allow: 'a', deny: 'a' },
      { allow: 'a', b: 'c' },
      { allow: 'a*' },
      'a',
    ])('refuses %j', (given) => {
      const config = { ...server.config, access_tags: given };
      expect(() => s3.parse(config, CREDENTIALS)).toThrow(/access_tags/);
    });
  });

  it('opens nothing that came with a sidecar while the bucket was listed', async () => {
    for (const key of ['a/!.md', 'a/0.md', 'b.md']) server.objects.set(key, key);
    server.intercept = (_request, _response, { searchParams }) => {
      if (searchParams.has('continuation-token')) {
        server.objects.set('a/.latchkey.yml', 'access: {allow: [group:hr]}');
        server.objects.set('a/1.md', 'secret');
      }
      return false;
    };
    const entries = await listed(await open());
    expect([...entries].map(([key, { access }]) => [key, access])).toEqual([
      ['a/!.md', 'unreadable'],
      ['a/0.md', 'unreadable'],
      ['a/1.md', 'unreadable'],
      ['b.md', undefined],
    ]);
  });
});

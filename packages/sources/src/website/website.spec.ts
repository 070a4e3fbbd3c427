import { createHash } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { describeKind, listed, SourceOpener } from '../../test/kind-suite.js';
import { WebSite } from '../../test/web-site.js';
import type { SourceContext } from '../source-kind.js';
import type { WebsiteConfig } from './config.js';
import { website } from './website.js';

describeKind(async () => {
  const site = await WebSite.start();
  const names = new Set<string>();
  const link = () => {
    site.page(
      '/',
      'Start',
      [...names].map((name) => `/${name}`),
    );
  };
  link();
  return {
    kind: website,
    config: { start_urls: [`${site.url}/`] },
    credentials: {},
    wrongConfig: { start_urls: [`${site.url}/missing`] },
    put: (name, content) => {
      site.pages.set(`/${name}`, content);
      names.add(name);
      link();
    },
    remove: (name) => {
      site.pages.delete(`/${name}`);
      names.delete(name);
      link();
    },
    breakListing: () => {
      site.intercept = (request) => {
        if (request.url !== '/robots.txt') request.socket.destroy();
        return request.url !== '/robots.txt';
      };
    },
    stop: () => site.stop(),
  };
});

describe('website', () => {
  const opener = new SourceOpener();
  let site: WebSite;

  beforeEach(async () => {
    site = await WebSite.start();
  });

  afterEach(async () => {
    await opener.close();
    await site.stop();
  });

  const open = (config: Partial<WebsiteConfig> = {}, more: Partial<SourceContext> = {}) =>
    opener.open(
      { kind: website, config: { start_urls: [`${site.url}/`], ...config }, credentials: {} },
      more,
    );
  const list = async (config?: Partial<WebsiteConfig>, more?: Partial<SourceContext>) =>
    listed(await open(config, more));
  const paths = async (config?: Partial<WebsiteConfig>, more?: Partial<SourceContext>) =>
    [...(await list(config, more)).keys()].map((key) => key.slice(site.url.length)).sort();

  it('follows links as deep as it is told, within the website', async () => {
    site.page('/', 'Start', [
      'a',
      'https://example.org/',
      'mailto:a@example.org',
      '#part',
      '/x.zip',
    ]);
    site.page('/a', 'A', ['/b#part', '/']);
    site.page('/b', 'B', ['/c']);
    site.page('/c', 'C');
    expect(await paths({ max_depth: 0 })).toEqual(['/']);
    expect(await paths({ max_depth: 2 })).toEqual(['/', '/a', '/b']);
    expect(await paths()).toEqual(['/', '/a', '/b', '/c']);
    expect(site.requests.filter((request) => request.includes('zip'))).toEqual([]);
  });

  it('keeps to include and exclude, save for start pages', async () => {
    site.page('/', 'Start', ['/docs/a', '/docs/private/b', '/blog/c', '/docs/d?print=1']);
    for (const path of ['/docs/a', '/docs/private/b', '/blog/c', '/docs/d?print=1']) {
      site.page(path, path);
    }
    expect(await paths({ include: ['/docs/*'], exclude: ['*/private/*', '*print=*'] })).toEqual([
      '/',
      '/docs/a',
    ]);
    expect(await paths({ include: [`${site.url}/blog/*`] })).toEqual(['/', '/blog/c']);
  });

  it('keeps to robots.txt', async () => {
    site.pages.set('/robots.txt', 'User-agent: latchkey-test\nDisallow: /private\n');
    site.page('/', 'Start', ['/private', '/public']);
    site.page('/private', 'Private');
    site.page('/public', 'Public');
    expect(await paths()).toEqual(['/', '/public']);
    site.pages.set('/robots.txt', 'User-agent: *\nDisallow: /\n');
    await expect(list()).rejects.toMatchObject({ code: 'not_allowed' });
    site.pages.set('/robots.txt', (_request, response) => response.writeHead(503).end());
    await expect(list()).rejects.toMatchObject({ code: 'unreachable' });
  });

  it('says that a page has more links than are followed, and then nothing is gone', async () => {
    const links = Array.from({ length: 5000 }, (_, index) => `/${index}.zip`);
    site.page('/', 'Start', [...links, '/last']);
    site.page('/last', 'Last');
    const { workFolder } = await opener.context();
    const limits = { maxEntries: 100, maxBytes: 1_000_000 };
    for (const answer of ['200', '304']) {
      const warnings: string[] = [];
      const source = await open(
        {},
        { workFolder, limits, warn: (message) => warnings.push(message) },
      );
      expect((await listed(source)).size).toBe(1);
      expect(site.requests.at(-1)).toBe(`GET / ${answer}`);
      expect(warnings).toEqual([expect.stringMatching(/^1 pages have more than 5000 links/)]);
      expect(await source.isGone?.(`${site.url}/last`)).toBe(false);
    }
    // Repeated addresses count once.
    site.page('/', 'Start', [...links.slice(1), ...links.slice(1), '/last']);
    const whole = await open({}, { workFolder, limits });
    expect((await listed(whole)).size).toBe(2);
    expect(await whole.isGone?.(`${site.url}/other`)).toBe(true);
  });

  it('does not look at links that are longer than addresses may be', async () => {
    const long = 'a.'.repeat(600);
    site.page('/', 'Start', [`http://${long}/`, `/${long}`, `/${'é'.repeat(400)}`, '/short']);
    site.page('/short', 'Short');
    expect(await paths()).toEqual(['/', '/short']);
    expect(site.requests).toEqual(['GET /robots.txt 404', 'GET / 200', 'GET /short 200']);
  });

  it('does not read a website whose robots.txt has more rules than it can keep to', async () => {
    site.page('/', 'Start');
    site.pages.set('/robots.txt', `User-agent: *\n${'Disallow: /*b*b*b*b*c\n'.repeat(20_000)}`);
    await expect(list()).rejects.toMatchObject({ code: 'too_large' });
    expect(site.requests).toEqual(['GET /robots.txt 200']);
  });

  it('refuses a sitemap that is nested without an end', async () => {
    const config = { start_urls: [], sitemap_url: `${site.url}/sitemap.xml` };
    site.pages.set('/sitemap.xml', `${'<a>'.repeat(1000)}${'</a>'.repeat(1000)}`);
    await expect(list(config)).rejects.toMatchObject({ code: 'incomplete_listing' });
  });

  it('reads a sitemap, an index of sitemaps, and compressed ones', async () => {
    const urlset = (...urls: string[]) =>
      `<urlset>${urls.map((url) => `<url><loc>${site.url}${url}</loc></url>`).join('')}</urlset>`;
    for (const path of ['/a', '/b', '/c']) site.page(path, path, ['/not-followed']);
    site.page('/not-followed', 'No');
    site.pages.set(
      '/sitemap.xml',
      `<sitemapindex><sitemap><loc>${site.url}/one.xml</loc></sitemap>
       <sitemap><loc>${site.url}/two.xml.gz</loc></sitemap></sitemapindex>`,
    );
    site.pages.set('/one.xml', urlset('/a', '/b'));
    site.pages.set('/two.xml.gz', (_request, response) => {
      response.end(gzipSync(urlset('/c')));
    });
    const config = { start_urls: [], sitemap_url: `${site.url}/sitemap.xml` };
    expect(await paths(config)).toEqual(['/a', '/b', '/c']);
    site.pages.set('/one.xml', urlset('/a', '/b').slice(0, -20));
    await expect(list(config)).rejects.toMatchObject({ code: 'incomplete_listing' });
  });

  it('knows a page by the address that it names, under which it is one document', async () => {
    site.page('/', 'Start', ['/a?from=1', '/a', '/a?from=2']);
    for (const path of ['/a?from=1', '/a', '/a?from=2']) {
      site.pages.set(path, `<link rel="canonical" href="/a"><title>A</title>`);
    }
    expect(await paths()).toEqual(['/', '/a']);
  });

  it('leaves the title of a file to its name', async () => {
    site.page('/', 'Start', ['/rates.md']);
    site.pages.set('/rates.md', 'A night is 90 euros.');
    const source = await open();
    const entry = (await listed(source)).get(`${site.url}/rates.md`);
    if (!entry) throw new Error('nothing is listed');
    expect(entry).not.toHaveProperty('title');
    const content = await source.load(entry);
    expect(content).not.toHaveProperty('title');
    expect(content).toMatchObject({ fileName: 'rates.md' });
    content.body.destroy();
  });

  it('tells the title, and decodes what a header says', async () => {
    site.pages.set('/', (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=windows-1251' });
      response.end(Buffer.from([0x3c, 0x74, 0x69, 0x74, 0x6c, 0x65, 0x3e, 0xcf, 0xf0]));
    });
    const source = await open();
    const [entry] = (await listed(source)).values();
    expect(entry).toMatchObject({ title: 'Пр', mimeType: 'text/html' });
    if (!entry) throw new Error('nothing is listed');
    const content = await source.load(entry);
    expect(content).toMatchObject({ fileName: 'index.html', title: 'Пр' });
    expect(await text(content.body)).toContain('Пр');
  });

  it('gives no other version for tokens in attributes and scripts', async () => {
    let answers = 0;
    site.pages.set('/', (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end(`<meta name="csrf" content="${++answers}"><script>${answers}</script><p>Same`);
    });
    const version = async () => [...(await list()).values()][0]?.version;
    expect(await version()).toBe(await version());
  });

  it('asks only for what has changed, and follows the links of what has not', async () => {
    site.page('/', 'Start', ['/a']);
    site.page('/a', 'A', ['/b']);
    site.page('/b', 'B');
    const { workFolder } = await opener.context();
    const before = await list({}, { workFolder });
    site.page('/b', 'B2');
    site.requests.length = 0;
    const after = await list({}, { workFolder });
    expect(site.requests).toEqual(['GET /robots.txt 404', 'GET / 304', 'GET /a 304', 'GET /b 200']);
    const changed = [...after.values()].filter(
      ({ key, version }) => before.get(key)?.version !== version,
    );
    expect(changed.map(({ title }) => title)).toEqual(['B2']);
  });

  it('lists a page that fails as unavailable, and what it led to as before', async () => {
    site.page('/', 'Start', ['/a', '/c']);
    site.page('/a', 'A', ['/b']);
    site.page('/b', 'B');
    const { workFolder } = await opener.context();
    await list({}, { workFolder });
    site.pages.set('/a', (_request, response) => response.writeHead(500).end());
    const source = await open({}, { workFolder });
    const entries = await listed(source);
    expect([...entries.keys()].map((key) => new URL(key).pathname)).toEqual(['/', '/a', '/b']);
    expect(entries.get(`${site.url}/a`)?.unavailable).toContain('500');
    expect(await source.isGone?.(`${site.url}/c`)).toBe(true);
  });

  it.each([
    ['that fails', '/failing'],
    ['and back', '/a'],
  ])('lists what a page led to that now redirects to one %s', async (_name, location) => {
    site.page('/', 'Start', ['/a']);
    site.page('/a', 'A', ['/b']);
    site.page('/b', 'B', ['/c']);
    site.page('/c', 'C', ['/d']);
    site.page('/d', 'D');
    const { workFolder } = await opener.context();
    await list({ max_depth: 4 }, { workFolder });
    for (const path of ['/a', '/c']) {
      site.pages.set(path, (_request, response) => response.writeHead(302, { location }).end());
    }
    site.pages.set('/failing', (_request, response) => response.writeHead(500).end());
    const entries = await list({ max_depth: 4 }, { workFolder });
    const paths = [...entries].map(([key, { unavailable }]) => [
      new URL(key).pathname,
      unavailable !== undefined,
    ]);
    expect(Object.fromEntries(paths)).toEqual({
      ...{ '/': false, '/a': true, '/b': false, '/c': true, '/d': false },
    });
  });

  it('asks before a page counts as gone, when one failed whose links are not known', async () => {
    site.page('/', 'Start', ['/a']);
    site.pages.set('/a', (_request, response) => response.writeHead(500).end());
    site.page('/b', 'B');
    const source = await open();
    await listed(source);
    expect(await source.isGone?.(`${site.url}/b`)).toBe(false);
    expect(await source.isGone?.(`${site.url}/gone`)).toBe(true);
  });

  describe('of hostile servers', () => {
    const huge = (response: {
      write(bytes: Buffer): boolean;
      once(e: 'drain', f: () => void): void;
    }) => {
      const bytes = Buffer.alloc(64 * 1024, 'x');
      const write = () => {
        while (response.write(bytes));
        response.once('drain', write);
      };
      write();
    };

    it.each([
      ['a redirect to itself', (url: string) => url],
      ['two redirects to each other', (url: string) => (url === '/a' ? '/b' : '/a')],
      ['redirects without an end', (url: string) => `${url}1`],
      ['redirects to a page that fails', () => '/failing'],
      ['a page that redirects to no address', () => 'http://'],
    ])('ends with %s, and says what was not looked at', async (_name, target) => {
      site.page('/', 'Start', ['/a', '/b']);
      for (const path of ['/a', '/b']) site.page(path, path);
      const { workFolder } = await opener.context();
      await list({}, { workFolder });
      site.intercept = ({ url = '' }, response) => {
        if (url === '/failing') response.writeHead(500).end();
        else if (/^\/[ab]/.test(url)) response.writeHead(302, { location: target(url) }).end();
        else return false;
        return true;
      };
      // Tested with the pages of the previous run and without them, since they are stored nowhere else.
      for (const more of [{ workFolder }, {}]) {
        const source = await open({}, more);
        const entries = await listed(source);
        expect(entries.get(`${site.url}/`)).toMatchObject({ title: 'Start' });
        const named = [...entries.values()].filter((entry) => entry.unavailable !== undefined);
        expect(named.map(({ key }) => key.slice(site.url.length))).toEqual(['/a', '/b']);
      }
    });

    it('fails with a start page that redirects to itself', async () => {
      site.pages.set('/', (_request, response) => {
        response.writeHead(302, { location: '/' }).end();
      });
      await expect(list()).rejects.toMatchObject({
        ...{ code: 'unreachable', message: expect.stringContaining('without an end') },
      });
    });

    it('reads no further in links without an end', async () => {
      site.intercept = ({ url = '' }, response) => {
        if (url === '/robots.txt') return false;
        response.writeHead(200, { 'content-type': 'text/html' });
        response.end(`<a href="more/${createHash('md5').update(url).digest('hex')}/">more</a>`);
        return true;
      };
      expect((await list({ max_depth: 20 })).size).toBeLessThan(10);
    });

    it('refuses a body without an end, one that is shorter than it says, and a bomb', async () => {
      site.page('/', 'Start', ['/huge', '/short', '/bomb', '/good']);
      site.pages.set('/huge', (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/plain' });
        huge(response);
      });
      site.pages.set('/short', (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/plain', 'content-length': 100 });
        response.write('short');
        setImmediate(() => response.destroy());
      });
      site.pages.set('/bomb', (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' });
        response.end(gzipSync(Buffer.alloc(50_000_000)));
      });
      site.page('/good', 'Good');
      const entries = await list();
      for (const path of ['/huge', '/short', '/bomb']) {
        expect(entries.get(`${site.url}${path}`)?.unavailable).toEqual(expect.any(String));
      }
      expect(entries.get(`${site.url}/good`)?.title).toBe('Good');
    });

    it('refuses a sitemap that is a bomb, or has too many addresses', async () => {
      const config = { start_urls: [], sitemap_url: `${site.url}/sitemap.xml` };
      const serve = (xml: string) => {
        const compressed = gzipSync(xml);
        site.pages.set('/sitemap.xml', (_request, response) => void response.end(compressed));
      };
      serve(`<urlset>${' '.repeat(60_000_000)}</urlset>`);
      await expect(list(config)).rejects.toMatchObject({ code: 'too_large' });
      serve(`<urlset>${'<url><loc>http://a/</loc></url>'.repeat(50_001)}</urlset>`);
      const limits = { maxEntries: 100_000, maxBytes: 10_000 };
      await expect(list(config, { limits })).rejects.toMatchObject({ code: 'too_many_documents' });
    });

    it('reads an index of sitemaps that names itself once', async () => {
      site.page('/a', 'A');
      const url = `${site.url}/sitemap.xml`;
      const index = `<sitemapindex><sitemap><loc>${url}</loc></sitemap><sitemap><loc>${site.url}/one.xml</loc></sitemap></sitemapindex>`;
      site.pages.set('/sitemap.xml', index);
      site.pages.set('/one.xml', `<urlset><url><loc>${site.url}/a</loc></url></urlset>`);
      expect(await paths({ start_urls: [], sitemap_url: url })).toEqual(['/a']);
    });

    it('says which pages redirect to elsewhere, and asks nothing there', async () => {
      const other = await WebSite.start();
      site.page('/', 'Start', ['/a', '/b']);
      site.page('/a', 'A');
      site.pages.set('/b', (_request, response) => {
        response.writeHead(302, { location: other.url }).end();
      });
      const warnings: string[] = [];
      expect(await paths({}, { warn: (message) => warnings.push(message) })).toEqual(['/', '/a']);
      expect([warnings, other.requests]).toEqual([
        ['1 pages that redirect to elsewhere are left out.'],
        [],
      ]);
      await other.stop();
    });

    it('reads a page of many elements that are never closed in little time', async () => {
      site.pages.set('/', `${'<b>'.repeat(200_000)}${'</i>'.repeat(200_000)}<a href=/a>`);
      site.page('/a', 'A');
      const limits = { maxEntries: 10, maxBytes: 10_000_000 };
      expect(await paths({}, { limits })).toEqual(['/', '/a']);
    });
  });
});

import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, extname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { load } from 'js-yaml';
import { sharedService, type SharedService } from '../support/shared-service.js';

const START = '/docs/guide/';

/** Pages by their addresses: all that `start` leads to and is made of, on its server. */
async function followed(start: string): Promise<Map<string, string>> {
  const pages = new Map<string, string>();
  const waiting = [start];
  for (let address = waiting.pop(); address !== undefined; address = waiting.pop()) {
    if (pages.has(address)) continue;
    const response = await fetch(address, { redirect: 'manual' });
    expect([address, response.status]).toEqual([address, 200]);
    const isPage = response.headers.get('content-type')?.startsWith('text/html') === true;
    const text = isPage ? await response.text() : '';
    pages.set(address, text);
    waiting.push(...linksOf(address, text).map(({ origin, pathname }) => origin + pathname));
  }
  return pages;
}

/** What a page leads to and is made of, within its server. */
const linksOf = (address: string, text: string): URL[] =>
  Array.from(
    text.matchAll(/(?:href|src|data-root)="([^"]*)"/g),
    ([, link = '']) => new URL(link, address),
  ).filter(({ origin }) => origin === new URL(address).origin);

describe('the guide', () => {
  let service: SharedService;
  let start: string;
  /** By address. */
  let pages: Map<string, string>;
  /** Knows nothing but files, and the index of a folder. */
  const plain = createServer(({ url = '' }, response) => {
    const path = url.endsWith('/') ? `${url}index.html` : url;
    const file = path.startsWith('/some/base/') && join('dist/guide', path.slice(11));
    if (file === false || !existsSync(file)) response.writeHead(404).end();
    else {
      const type = extname(file) === '.html' ? 'text/html' : 'text/plain';
      response.writeHead(200, { 'content-type': type }).end(readFileSync(file));
    }
  });

  beforeAll(async () => {
    service = await sharedService();
    start = service.url + START;
    pages = await followed(start);
    await once(plain.listen(0, '127.0.0.1'), 'listening');
  });
  afterAll(() => {
    plain.close();
  });

  it('has every page of docs/, found by links alone', () => {
    const some = ['errors.html', 'operations.html', 'decisions/', 'decisions/filters.html'];
    for (const page of [...some, 'deploy/']) expect([...pages.keys()]).toContain(start + page);
    expect([...pages.keys()].every((address) => address.startsWith(start))).toBe(true);
  });

  it('is the same on a server of files, below any path', async () => {
    const { port } = plain.address() as AddressInfo;
    const base = `http://127.0.0.1:${port}/some/base/`;
    const found = [...(await followed(base)).keys()];
    expect(found.every((address) => address.startsWith(base))).toBe(true);
    const below = (addresses: string[], from: string) =>
      addresses.map((address) => address.slice(from.length)).sort();
    expect(below(found, base)).toEqual(below([...pages.keys()], start));
  });

  it('is published by a workflow that runs what is named in full, with no more rights than it needs', () => {
    const workflow = readFileSync('.github/workflows/docs.yml', 'utf8');
    const { permissions, jobs } = load(workflow) as {
      permissions: object;
      jobs: Record<string, { permissions: object; steps: { run?: string; with?: object }[] }>;
    };
    expect(permissions).toEqual({});
    expect(jobs['build']?.permissions).toEqual({ contents: 'read' });
    expect(jobs['build']?.steps).toContainEqual({ run: 'npm run docs' });
    expect(jobs['build']?.steps.at(-1)?.with).toEqual({ path: 'dist/guide' });
    expect(jobs['publish']?.permissions).toEqual({ pages: 'write', 'id-token': 'write' });
    expect(jobs['publish']?.steps.some(({ run }) => run !== undefined)).toBe(false);
    const actions = Array.from(workflow.matchAll(/uses: (\S+)/g), ([, action]) => action);
    expect(actions).toHaveLength(4);
    for (const action of actions) expect(action).toMatch(/^actions\/[\w-]+@[\da-f]{40}$/);
  });

  it('leads to headings that are there', () => {
    const anchors = [...pages].flatMap(([address, text]) =>
      linksOf(address, text).filter(({ hash }) => hash !== ''),
    );
    expect(anchors.length).toBeGreaterThan(20);
    for (const { origin, pathname, hash } of anchors) {
      expect(pages.get(origin + pathname)).toContain(`id="${decodeURIComponent(hash.slice(1))}"`);
    }
  });

  it('says what a code means, where Swagger UI leads to', async () => {
    const { info } = (await (await fetch(`${service.url}/openapi.json`)).json()) as {
      info: { description: string };
    };
    const [, path = ''] = /\]\((\/docs\/guide\/[^)]*)\)/.exec(info.description) ?? [];
    const page = await (await fetch(service.url + path)).text();
    expect(page).toContain('<code>api_key_revoked</code>');
  });

  it('has an index of every heading, for its search', async () => {
    const response = await fetch(`${service.url}${START}search.json`);
    const sections = (await response.json()) as [string, string, string, string][];
    expect(sections).toContainEqual([
      'errors.html',
      'Problem codes',
      '',
      expect.stringContaining('api_key_revoked'),
    ]);
    for (const [place] of sections) {
      const { origin, pathname } = new URL(place, start);
      expect([...pages.keys()]).toContain(origin + pathname);
    }
  });

  it('loads nothing from elsewhere, and is kept by browsers until it changes', async () => {
    const { headers } = await fetch(service.url + START);
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'self';/,
    );
    expect(headers.get('cache-control')).toBe('no-cache');
    const etag = headers.get('etag') ?? '';
    const again = await fetch(service.url + START, { headers: { 'if-none-match': etag } });
    expect(again.status).toBe(304);
    const withoutSlash = await fetch(`${service.url}/docs/guide`, { redirect: 'manual' });
    expect([withoutSlash.status, withoutSlash.headers.get('location')]).toEqual([302, START]);
    const missing = await fetch(`${service.url}${START}nothing`);
    expect(missing.status).toBe(404);
  });

  it('leads to what is there, where only a part of the repository is', () => {
    const folder = mkdtempSync(join(process.env['LATCHKEY_TEST_DIR'] ?? tmpdir(), 'guide-'));
    cpSync('scripts', join(folder, 'scripts'), { recursive: true });
    mkdirSync(join(folder, 'docs/images'), { recursive: true });
    for (const path of ['docs/README.md', 'docs/errors.md', 'SECURITY.md', 'package.json']) {
      cpSync(path, join(folder, path));
    }
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'), 'junction');
    const { status, stderr } = spawnSync(process.execPath, ['scripts/build-guide.mjs'], {
      ...{ cwd: folder, encoding: 'utf8' },
    });
    expect([status, stderr]).toEqual([0, '']);
    const home = readFileSync(join(folder, 'dist/guide/index.html'), 'utf8');
    const [, contents = ''] = /<nav[^>]*>(.*)<\/nav>/s.exec(home) ?? [];
    const targets = Array.from(contents.matchAll(/href="([^"]*)"/g), ([, target]) => target);
    expect(targets).toEqual(['errors.html', 'SECURITY.html']);
    expect(contents.split('<h2>')).toHaveLength(3);
  });

  it('has in the image of the Dockerfile what it leads to', () => {
    const dockerfile = readFileSync('Dockerfile', 'utf8');
    const copied = Array.from(
      dockerfile.matchAll(/^COPY (?!--from)(.*) \S+$/gm),
      ([, paths = '']) => paths.split(' ').map((path) => path.replace(/^\.\//, '')),
    ).flat();
    const known = readFileSync('.dockerignore', 'utf8').split('\n');
    const isThere = (path: string) =>
      [path, path.split('/', 1)[0] ?? ''].some(
        (one) => copied.includes(one) && known.includes(`!${one}`),
      );
    const listed = Array.from(
      readFileSync('scripts/guide/eleventy.mjs', 'utf8').matchAll(/'(\w[\w./-]*\.md)'/g),
      ([, path = '']) => path,
    );
    expect(listed).toContain('deploy/README.md');
    expect(listed.filter((path) => !isThere(path))).toEqual([]);
  });

  it('links, like the README, only to files of the repository that exist', () => {
    const texts = readdirSync('docs', { recursive: true })
      .map((name) => join('docs', String(name)))
      .filter((name) => name.endsWith('.md'));
    for (const text of [...texts, 'README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md']) {
      const targets = readFileSync(text, 'utf8').matchAll(/\]\(([^)\s#:]+)(?:#[^)]*)?\)/g);
      for (const [, target = ''] of targets) {
        const path = join(dirname(text), target);
        expect([text, target, existsSync(path)]).toEqual([text, target, true]);
      }
    }
  });
});

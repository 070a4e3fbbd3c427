import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedService, type SharedService } from '../support/shared-service.js';

const START = '/docs/guide/';

describe('the guide', () => {
  let service: SharedService;
  /** By path. */
  const pages = new Map<string, string>();

  beforeAll(async () => {
    service = await sharedService();
    const waiting = [START];
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      if (pages.has(path)) continue;
      const response = await fetch(service.url + path, { redirect: 'manual' });
      expect([path, response.status]).toEqual([path, 200]);
      const isPage = response.headers.get('content-type')?.startsWith('text/html') === true;
      pages.set(path, isPage ? await response.text() : '');
      waiting.push(...linksOf(path).map(({ pathname }) => pathname));
    }
  });

  /** What a page leads to and is made of, within the service. */
  function linksOf(path: string): URL[] {
    return Array.from(
      (pages.get(path) ?? '').matchAll(/(?:href|src|data-root)="([^"]*)"/g),
      ([, link = '']) => new URL(link, service.url + path),
    ).filter(({ origin }) => origin === service.url);
  }

  it('has every page of docs/, found by links alone', () => {
    for (const page of ['errors', 'operations', 'decisions/', 'decisions/filters', 'deploy/']) {
      expect([...pages.keys()]).toContain(START + page);
    }
    expect([...pages.keys()].every((path) => path.startsWith(START))).toBe(true);
  });

  it('leads to headings that are there', () => {
    const anchors = [...pages.keys()].flatMap((path) =>
      linksOf(path).filter(({ hash }) => hash !== ''),
    );
    expect(anchors.length).toBeGreaterThan(20);
    for (const { pathname, hash } of anchors) {
      expect(pages.get(pathname)).toContain(`id="${decodeURIComponent(hash.slice(1))}"`);
    }
  });

  it('says what a code means, where Swagger UI leads to', async () => {
    const { info } = (await (await fetch(`${service.url}/openapi.json`)).json()) as {
      info: { description: string };
    };
    const [, path = ''] = /\]\((\/docs\/guide\/[^)]*)\)/.exec(info.description) ?? [];
    expect(pages.get(path)).toContain('<code>api_key_revoked</code>');
  });

  it('has an index of every heading, for its search', async () => {
    const response = await fetch(`${service.url}${START}search.json`);
    const sections = (await response.json()) as [string, string, string, string][];
    expect(sections).toContainEqual([
      'errors',
      'Problem codes',
      '',
      expect.stringContaining('api_key_revoked'),
    ]);
    for (const [place] of sections) {
      const { pathname } = new URL(place, service.url + START);
      expect([...pages.keys()]).toContain(pathname);
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
    expect(targets).toEqual(['errors', 'SECURITY']);
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

  it('and the README lead to nothing in the repository that is not there', () => {
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

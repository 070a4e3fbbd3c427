// How Eleventy makes the documentation site: see build-guide.mjs.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { posix } from 'node:path';
import { linksOf, slugOf, textOf } from './markdown.mjs';
import { pageOf } from './page.mjs';
import { addressOf, between, placeOf } from './places.mjs';

const HOME = 'docs/README.md';
/** What docs/ leads to: the other pages of the repository. */
const OTHERS = [
  ...['SECURITY.md', 'CHANGELOG.md', 'bench/RESULTS.md', 'deploy/README.md'],
  ...['deploy/rotation/README.md', 'deploy/scanners/README.md'],
  ...['examples/partner-backend/README.md', 'examples/web-chat/README.md'],
  'packages/sources/README.md',
].filter((path) => existsSync(path));

/** @param {import('@11ty/eleventy').UserConfig} config */
export default function configure(config) {
  const pages = new Set(OTHERS);
  config.setUseGitIgnore(false);
  config.addGlobalData(
    'permalink',
    () =>
      ({ page }) =>
        `${placeOf(sourceOf(page))}.html`,
  );
  const groups = navigation();
  config.addTransform('page', function (content) {
    return pageOf(content, placeOf(sourceOf(this.page)), groups);
  });
  for (const path of OTHERS) config.addTemplate(`~/${path}`, readFileSync(path, 'utf8'));
  config.addPassthroughCopy({
    'docs/images': 'images',
    'scripts/guide/icon.svg': 'icon.svg',
    'scripts/guide/guide.css': 'guide.css',
    'scripts/guide/search.js': 'search.js',
  });
  config.amendLibrary('md', (markdown) => {
    markdown.core.ruler.push('anchors', ({ tokens }) => {
      const seen = new Map();
      for (const [index, token] of tokens.entries()) {
        if (token.type === 'heading_open')
          token.attrSet('id', slugOf(tokens[index + 1].content, seen));
      }
    });
    markdown.core.ruler.push('links', ({ tokens, env }) => {
      for (const { children } of tokens) {
        for (const token of children ?? []) lead(token, sourceOf(env.page));
      }
    });
  });
  config.on('eleventy.after', ({ results, directories }) => {
    const entries = results.flatMap(({ outputPath, content }) =>
      sectionsOf(posix.relative(directories.output, outputPath), content),
    );
    writeFileSync(`${directories.output}search.json`, JSON.stringify(entries));
  });
  return { markdownTemplateEngine: false, templateFormats: ['md'] };

  /** Makes a link lead to a page of the site; what is no page of it is a name only. */
  function lead(token, from) {
    if (token.type !== 'link_open') return;
    const [path, anchor] = token.attrGet('href').split('#');
    if (path === '' || /^[a-z]+:/.test(path)) return;
    const target = posix.join(posix.dirname(from), path).replace(/\/$/, '/README.md');
    const isPage = target.endsWith('.md') && (target.startsWith('docs/') || pages.has(target));
    if (!isPage) {
      token.attrs = [['title', target]];
      return;
    }
    const hash = anchor === undefined ? '' : `#${anchor}`;
    token.attrSet('href', between(placeOf(from), placeOf(target)) + hash);
  }
}

/** The path of a page's source in the repository. */
const sourceOf = ({ inputPath }) => inputPath.replace(/^\.\//, '').replace(/^docs\/~\//, '');

/** The groups of the first page: their names and links, as far as these are there. */
function navigation() {
  const [, ...groups] = readFileSync(HOME, 'utf8').split(/^## /m);
  return groups
    .map((group) => ({
      name: group.split('\n', 1)[0],
      links: linksOf(group)
        .map(([text, target]) => [text, posix.join('docs', target)])
        .filter(([, target]) => target.endsWith('.md') && existsSync(target))
        .map(([text, target]) => [text, placeOf(target)]),
    }))
    .filter(({ links }) => links.length > 0);
}

/** What search looks through: a page by its headings, as place, title, heading and text. */
function sectionsOf(file, html) {
  const main = /<main>(.*)<\/main>/s.exec(html)?.[1] ?? '';
  const title = textOf(/<h1[^>]*>(.*?)<\/h1>/s.exec(main)?.[1] ?? file);
  const place = addressOf(file.replace(/\.html$/, ''));
  return main.split(/(?=<h[23] )/).map((section) => {
    const [, id, heading = ''] = /^<h[23] id="([^"]*)"[^>]*>(.*?)<\/h[23]>/s.exec(section) ?? [];
    return [id === undefined ? place : `${place}#${id}`, title, textOf(heading), textOf(section)];
  });
}

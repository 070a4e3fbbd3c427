// Prints the figures that docs/architecture.md aims at, with their aims: how large the core and the plugins
// are, and how much of them one route, one guard or one revocation reaches.
//   node scripts/house.mjs
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { reachOf } from './reach.mjs';

const files = execFileSync('git', ['ls-files', 'src', 'packages', 'docs', 'test'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => path !== '' && existsSync(path));
const code = files.filter((path) => /\.ts$/.test(path) && !/\.(spec|e2e|browser)\.ts$/.test(path));
const read = (/** @type {string} */ path) => readFileSync(path, 'utf8');
const countLines = (/** @type {string[]} */ paths) =>
  paths.reduce((sum, path) => sum + read(path).split('\n').length - 1, 0);

const source = code.filter((path) => path.startsWith('src/'));
const isPlugin = (/** @type {string} */ path) => path.startsWith('src/plugins/');
const core = source.filter((path) => !isPlugin(path));
const plugins = Map.groupBy(source.filter(isPlugin), (path) => path.split('/')[2] ?? '');
const sizes = [...plugins]
  .map(([name, paths]) => /** @type {const} */ ([name, countLines(paths)]))
  .sort(([, one], [, other]) => other - one);
const coreText = core.map(read).join('\n');

/** @param {RegExp} pattern */
const count = (pattern) => [...coreText.matchAll(pattern)].length;

const configuration = read('docs/configuration.md');
const { scripts } = JSON.parse(read('package.json'));
const decisions = files.filter((path) => /^docs\/decisions\/.*\.md$/.test(path));
const allSource = source.map(read).join('\n');

/** @type {[string, number | string, string][]} */
const rows = [
  ['lines of the core, tests left out', countLines(core), '≤ 30000'],
  [
    'lines of plugins: the largest',
    sizes
      .slice(0, 3)
      .map(([name, lines]) => `${name} ${lines}`)
      .join(', '),
    '≤ 1500, sources and opensearch ≤ 2500',
  ],
  ['plugins', plugins.size, ''],
  [
    'files that chat.controller.ts reaches, with types',
    reachOf('src/chat/chat.controller.ts', { types: true }).size,
    '≤ 150',
  ],
  [
    'files that chat.controller.ts reaches, without types',
    reachOf('src/chat/chat.controller.ts').size,
    '',
  ],
  [
    'files that ApiKeyGuard reaches, with types',
    reachOf('src/api-keys/api-key.guard.ts', { types: true }).size,
    '≤ 45',
  ],
  [
    'files that DashboardAuthGuard reaches, with types',
    reachOf('src/knowledge-bases/dashboard-auth/dashboard-auth.guard.ts', { types: true }).size,
    '',
  ],
  // The rows of a queue are due at a time.
  [
    'tables that are queues',
    [...allSource.matchAll(/^ {2}(@Column.* )?dueAt: Date/gm)].length,
    '1',
  ],
  ['tables of the core', count(/^@Entity\(/gm), ''],
  ['environment variables', [...configuration.matchAll(/^\| `[A-Z]/gm)].length, '≤ 60'],
  ['npm scripts', Object.keys(scripts).length, '≤ 20'],
  ['pages of decisions', decisions.length, '≤ 40'],
  ['bytes of CONTRIBUTING.md', Buffer.byteLength(read('CONTRIBUTING.md')), '≤ 6144'],
];
const width = Math.max(...rows.map(([name]) => name.length));
for (const [name, value, aim] of rows) {
  console.log(`${name.padEnd(width)}  ${String(value).padStart(7)}${aim && `   aim ${aim}`}`);
}

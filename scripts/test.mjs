// Builds what is stale, then runs tests: those of a group, the files that are named to Jest, or else all
// that can run side by side. Jest, and so the services under test, run on the Node.js that LATCHKEY_NODE
// names, else on the one that runs this script.
//   npm test [-- [<group>] [<arguments of Jest>]]
import { spawnSync } from 'node:child_process';
import { buildWhatIsStale } from './build-stale.mjs';
import { listWithNeeds } from './plugin-needs.mjs';

/** Tests that need a command of their own. */
const APART = '--testPathIgnorePatterns=/attacks/|/faults/|/interop/|/timed/|/opensearch-';
const THOROUGH = { LATCHKEY_TEST_THOROUGH: 'yes' };
const SEARCHES =
  'documents/(search-index|search-words|search-understanding|search-limits|metadata-filter|hidden-documents|access-rules|passage-purge|rankings)';

/** @type {Record<string, { args?: string[], env?: Record<string, string>, projects?: string[] }>} */
const GROUPS = {
  // Without a build.
  unit: { projects: ['unit'] },
  // The tests of one, which runs alone with what it needs: npm test -- plugin <name>
  plugin: { projects: ['unit', 'sqlite', 'postgres'] },
  // What differs between versions of Node.js or PostgreSQL, if anything: test/engines.mjs.
  short: { projects: ['unit', 'sqlite', 'postgres'], env: { LATCHKEY_TEST_SHORT: 'yes' } },
  browser: { projects: ['browser', 'browser-postgres'] },
  // Those of the browser without which no user can work.
  'browser-core': {
    projects: ['browser'],
    args: ['--testPathPatterns', 'console/console(-keys|-tasks)?\\.browser|/swagger-ui\\.browser'],
  },
  faults: { args: ['test/faults'] },
  // Other people's clients.
  interop: { args: ['test/interop'] },
  // The services under test have their words in OpenSearch: test/support/opensearch.mjs.
  'search-engine': { projects: ['sqlite', 'postgres'], args: ['--testPathPatterns', SEARCHES] },
  opensearch: { args: ['src/plugins/opensearch'] },
  // Faults, with repetitions of what may go wrong once in a thousand times: test/support/repetitions.ts.
  thorough: { args: ['test/faults'], env: THOROUGH },
  attacks: {
    args: [
      ...[
        'test/attacks',
        'test/timed/attacks',
        'test/chat/questions',
        'test/platform/open-api.e2e',
      ],
      '--runInBand',
    ],
    env: THOROUGH,
  },
  // What measures time, alone.
  timed: { args: ['test/timed', '--runInBand'] },
  // The services under test reach PostgreSQL through PgBouncer.
  pooler: { projects: ['postgres'], args: [APART], env: { TEST_POOLER: 'pgbouncer' } },
  // Takes the README's pictures anew.
  pictures: {
    projects: ['browser'],
    args: ['--testPathPatterns', 'console/pictures'],
    env: { LATCHKEY_PICTURES: 'docs/images' },
  },
  // Each file on each engine, with repetitions: before a release.
  every: { projects: ['unit', 'sqlite', 'postgres'], args: [APART], env: THOROUGH },
};

const [, , ...given] = process.argv;
const [first = ''] = given;
const group = Object.hasOwn(GROUPS, first) ? first : undefined;
const isAll = given.length === 0;
const rest = group === undefined ? given : given.slice(1);
const {
  args = [],
  env = {},
  projects = [],
} = { ...GROUPS[group ?? ''], ...(group === 'plugin' && runAlone(rest.shift() ?? '')) };
const chosen = rest.includes('--selectProjects')
  ? []
  : isAll
    ? ['unit', 'sqlite', 'postgres']
    : projects;

if (group !== 'unit') buildWhatIsStale();
const searchEngine = group === 'search-engine' && (await startSearchEngine());
const { status } = spawnSync(
  process.env.LATCHKEY_NODE ?? process.execPath,
  [
    ...['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
    'node_modules/jest/bin/jest.js',
    ...(isAll ? [APART] : args),
    ...rest,
    ...(chosen.length > 0 ? ['--selectProjects', ...chosen] : []),
  ],
  {
    stdio: 'inherit',
    env: { ...process.env, ...env, ...(searchEngine && { TEST_SEARCH_URL: searchEngine.url }) },
  },
);
if (searchEngine) await searchEngine.stop();
process.exit(status ?? 1);

/** @param {string} plugin */
function runAlone(plugin) {
  const env = { PLUGINS: listWithNeeds(plugin).join(',') };
  return { args: [`src/plugins/${plugin}/`], env };
}

/** Ends the run where there is none to be had, which is no failure. */
async function startSearchEngine() {
  const { OpenSearch, openSearchJars } = await import('../test/support/opensearch.mjs');
  if (openSearchJars() !== undefined) return OpenSearch.start();
  console.log('Skipped: OpenSearch is not reached (by Maven, with Java)');
  process.exit(0);
}

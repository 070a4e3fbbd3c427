// Builds what is stale, then runs the tests that the arguments name to Jest; without any all that can
// run side by side, which leaves out those with a command of their own. Jest, and so the services
// under test, run on the Node.js that LATCHKEY_NODE names, else on the one that runs this script.
//   --short     what differs between versions of Node.js or PostgreSQL, if anything: see test/engines.mjs
//   --pooler    the services under test reach PostgreSQL through PgBouncer
//   --pictures  takes the README's pictures anew, into docs/images
//   --search-engine  the services under test have their words in OpenSearch: test/support/opensearch.mjs
//   --thorough  repeats what may go wrong once in a thousand times: see test/support/repetitions.ts
import { spawnSync } from 'node:child_process';
import { buildWhatIsStale } from './build-stale.mjs';

buildWhatIsStale();

const [, , ...given] = process.argv;
const isShort = given.includes('--short');
const hasSearchEngine = given.includes('--search-engine');
const isThorough = given.includes('--thorough');
const isPooled = given.includes('--pooler');
const takesPictures = given.includes('--pictures');
const FLAGS = ['--short', '--thorough', '--pooler', '--pictures', '--search-engine'];
const args = given.filter((argument) => !FLAGS.includes(argument));
const sideBySide = [
  ...['--selectProjects', ...(isPooled ? ['postgres'] : ['unit', 'sqlite', 'postgres'])],
  '--testPathIgnorePatterns=/attacks/|/faults/|/interop/|/timed/|/opensearch-',
];
if (isShort && !args.includes('--selectProjects'))
  args.push('--selectProjects', 'unit', 'sqlite', 'postgres');
if (takesPictures)
  args.push('--selectProjects', 'browser', '--testPathPatterns', 'console/pictures');
const searchEngine = hasSearchEngine && (await startSearchEngine());
const { status } = spawnSync(
  process.env.LATCHKEY_NODE ?? process.execPath,
  [
    ...['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
    'node_modules/jest/bin/jest.js',
    ...(args.length > 0 ? args : sideBySide),
  ],
  {
    stdio: 'inherit',
    env: {
      ...process.env,
      ...(isShort && { LATCHKEY_TEST_SHORT: 'yes' }),
      ...(isPooled && { TEST_POOLER: 'pgbouncer' }),
      ...(takesPictures && { LATCHKEY_PICTURES: 'docs/images' }),
      ...(searchEngine && { TEST_SEARCH_URL: searchEngine.url }),
      ...(isThorough && { LATCHKEY_TEST_THOROUGH: 'yes' }),
    },
  },
);
if (searchEngine) await searchEngine.stop();
process.exit(status ?? 1);

/** Ends the run where there is none to be had, which is no failure. */
async function startSearchEngine() {
  const { OpenSearch, openSearchJars } = await import('../test/support/opensearch.mjs');
  if (openSearchJars() !== undefined) return OpenSearch.start();
  console.log('Skipped: OpenSearch is not reached (by Maven, with Java)');
  process.exit(0);
}

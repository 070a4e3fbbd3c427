// Builds what is stale, then runs the tests that the arguments name to Jest; without any all that can
// run side by side, which leaves out those with a command of their own. Jest, and so the services
// under test, run on the Node.js that LATCHKEY_NODE names, else on the one that runs this script.
import { spawnSync } from 'node:child_process';
import { buildWhatIsStale } from './build-stale.mjs';

buildWhatIsStale();

const args = process.argv.slice(2);
const sideBySide = [
  ...['--selectProjects', 'unit', 'sqlite', 'postgres'],
  '--testPathIgnorePatterns=/attacks/|/faults/|/interop/|/timed/',
];
const { status } = spawnSync(
  process.env.LATCHKEY_NODE ?? process.execPath,
  [
    ...['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
    'node_modules/jest/bin/jest.js',
    ...(args.length > 0 ? args : sideBySide),
  ],
  { stdio: 'inherit' },
);
process.exit(status ?? 1);

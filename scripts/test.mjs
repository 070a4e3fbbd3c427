// Runs the tests that the arguments name to Jest; without any all of them, those that measure time
// after the others, and alone.
import { spawnSync } from 'node:child_process';

const jest = (...args) =>
  spawnSync(
    process.execPath,
    ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js', ...args],
    { stdio: 'inherit' },
  ).status ?? 1;

const args = process.argv.slice(2);
const statuses =
  args.length > 0
    ? [jest(...args)]
    : [
        jest(
          '--maxWorkers=2',
          '--testPathIgnorePatterns=/node_modules/',
          '--testPathIgnorePatterns=/timed/',
        ),
        jest('--runInBand', 'test/timed'),
      ];
process.exit(Math.max(...statuses));

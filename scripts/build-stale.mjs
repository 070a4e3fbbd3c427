import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { libraries } from './libraries.mjs';

/** Exists while a build runs, and after one that failed or was interrupted. */
const UNFINISHED = '.build-unfinished';
const COMMAND_LINE = 'packages/cli/dist/latchkey.js';
const GUIDE = 'scripts/build-guide.mjs';
const SOURCES = [
  'src',
  'console',
  'packages/client/src',
  'packages/cli/src',
  'packages/widget/src',
  'packages/cli/package.json',
  'packages/tsconfig.library.json',
  ...libraries().flatMap((name) =>
    ['src', 'package.json', 'tsconfig.json'].map((path) => `packages/${name}/${path}`),
  ),
  'ormconfig.ts',
  'tsconfig.json',
  'tsconfig.build.json',
  'nest-cli.json',
];

const STEPS = [
  ['the types of the contract', 'scripts/openapi-types.mjs'],
  ['its packages', 'node_modules/typescript/bin/tsc', '-b', 'packages'],
  ['the service', 'node_modules/@nestjs/cli/bin/nest.js', 'build'],
  ['the bundle of the service', 'scripts/build-service.mjs'],
  ['the command line', 'scripts/build-cli.mjs'],
  ['the console', 'scripts/build-console.mjs'],
  ['the widget', 'scripts/build-widget.mjs'],
  ['the guide', GUIDE],
];

/**
 * Builds the service, the command line, the console and the guide as `npm run build` does, unless there are no
 * sources, or none is newer than the build and that one has finished. It says so on standard error: what a command prints on
 * standard output is piped into other programs.
 */
export function buildWhatIsStale() {
  if (!existsSync('src')) return;
  const outputs = ['dist', COMMAND_LINE].filter((path) => existsSync(path));
  const built = existsSync('dist/service/main.js') ? Math.max(...outputs.map(newest)) : 0;
  const sources = SOURCES.filter((path) => existsSync(path));
  const unfinished = existsSync(UNFINISHED);
  if (!unfinished && sources.every((path) => newest(path) <= built)) {
    buildGuideIfStale();
    return;
  }
  const reason =
    built === 0
      ? 'for the first time'
      : unfinished
        ? 'again, since its last build did not finish'
        : 'since its sources have changed';
  console.error(`Building Latchkey ${reason}, which takes up to a minute:`);
  writeFileSync(UNFINISHED, '');
  linkLibraries();
  for (const [index, [what, ...command]] of STEPS.entries()) {
    console.error(`${index + 1}/${STEPS.length} ${what}`);
    const { status } = spawnSync(process.execPath, command, { stdio: 'inherit' });
    if (status === 0) continue;
    if (!command.includes(GUIDE)) process.exit(status ?? 1);
    // The service does without it.
    console.error('The guide could not be built, so /docs/guide is missing.');
  }
  rmSync(UNFINISHED, { force: true });
}

/** The guide alone, which takes seconds, where nothing else has changed. */
function buildGuideIfStale() {
  const built = existsSync('dist/guide') ? newest('dist/guide') : 0;
  const sources = ['docs', 'scripts/guide'].filter((path) => existsSync(path));
  if (sources.every((path) => newest(path) <= built)) return;
  spawnSync(process.execPath, [GUIDE], { stdio: ['ignore', 2, 2] });
}

/** Of those that are newer than the last `npm ci`, which links them. */
function linkLibraries() {
  for (const name of libraries()) {
    const link = `node_modules/@latchkey/${name}`;
    if (!existsSync(link)) symlinkSync(resolve('packages', name), link, 'junction');
  }
}

function newest(path) {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  return Math.max(
    stats.mtimeMs,
    ...readdirSync(path)
      // Tests are not built.
      .filter((name) => !name.endsWith('.spec.ts'))
      .map((name) => newest(join(path, name))),
  );
}

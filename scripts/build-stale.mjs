import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The last that a build writes, and always. */
const COMMAND_LINE = 'packages/cli/dist/latchkey.js';
const SOURCES = [
  'src',
  'console',
  'packages/client/src',
  'packages/cli/package.json',
  'ormconfig.ts',
  'tsconfig.json',
  'tsconfig.build.json',
  'nest-cli.json',
  // What the bundle has of packages.
  'package-lock.json',
  'scripts/build-service.mjs',
];

/** Does what `npm run build` does, unless there are no sources, or none is newer than the build. */
export function buildWhatIsStale() {
  if (!existsSync('src')) return;
  const outputs = ['dist', COMMAND_LINE].filter((path) => existsSync(path));
  const built = existsSync('dist/src/main.js') ? Math.max(...outputs.map(newest)) : 0;
  if (SOURCES.every((path) => newest(path) <= built)) return;
  for (const step of [
    ['node_modules/@nestjs/cli/bin/nest.js', 'build'],
    ['scripts/build-service.mjs'],
    ['scripts/build-cli.mjs'],
    ['scripts/build-console.mjs'],
  ]) {
    const { status } = spawnSync(process.execPath, step, { stdio: 'inherit' });
    if (status !== 0) process.exit(status ?? 1);
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

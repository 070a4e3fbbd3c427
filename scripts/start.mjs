// Builds what is stale, then starts the service, or the given entry point with the arguments behind
// it, in this same process, so that signals reach it.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

// SQLite's driver crashes the process on an older one, without a word.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 14)) {
  console.error(
    `Latchkey needs Node.js 22.14 or later; this is ${process.versions.node}. Run it by npm after ` +
      '`npm ci` without --omit=optional, which brings Node.js 24, or install a newer Node.js.',
  );
  process.exit(1);
}

const service = 'dist/src/main.js';
/** The last that a build writes, and always. */
const commandLine = 'packages/cli/dist/latchkey.js';
const [entry = service] = process.argv.splice(2, 1);
const sources = [
  'src',
  'packages/cli/package.json',
  'ormconfig.ts',
  'tsconfig.json',
  'tsconfig.build.json',
  'nest-cli.json',
];

function newest(path) {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  return Math.max(
    stats.mtimeMs,
    ...readdirSync(path, { withFileTypes: true }).map((child) => newest(join(path, child.name))),
  );
}

if (existsSync('src')) {
  const outputs = ['dist', commandLine].filter((path) => existsSync(path));
  const built = existsSync(service) ? Math.max(...outputs.map(newest)) : 0;
  if (sources.some((path) => newest(path) > built)) {
    for (const step of [
      ['node_modules/@nestjs/cli/bin/nest.js', 'build'],
      ['scripts/build-cli.mjs'],
    ]) {
      const { status } = spawnSync(process.execPath, step, { stdio: 'inherit' });
      if (status !== 0) process.exit(status ?? 1);
    }
  }
}
await import(new URL(`../${entry}`, import.meta.url).href);

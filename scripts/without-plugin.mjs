// Shows that a plugin can be deleted: copies the working tree without its folder and its line in
// src/plugins.ts, and without the plugins that need it. Then builds and compiles the copy, and runs the unit
// tests and the test files that are named.
//   node scripts/without-plugin.mjs <plugin> [<test file>…]
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { listWithDependents } from './plugin-needs.mjs';

const TESTS = ['test/platform/plugins.e2e.ts', 'test/platform/smoke.e2e.ts'];

const [, , plugin = '', ...given] = process.argv;
if (plugin === '' || !existsSync(`src/plugins/${plugin}`)) {
  throw new Error('Name a plugin: a folder of src/plugins');
}
const deleted = listWithDependents(plugin);
const isDeleted = (/** @type {string} */ path) =>
  deleted.some((name) => path.includes(`plugins/${name}/`));
const copy = mkdtempSync(join(tmpdir(), `without-${plugin}-`));
process.on('exit', () => {
  rmSync(copy, { recursive: true, force: true });
});

const files = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard']);
for (const file of files.stdout.toString().split('\0')) {
  if (file === '' || isDeleted(file) || !existsSync(file)) continue;
  mkdirSync(dirname(join(copy, file)), { recursive: true });
  cpSync(file, join(copy, file));
}
symlinkSync(resolve('node_modules'), join(copy, 'node_modules'));
const list = join(copy, 'src/plugins.ts');
const lines = readFileSync(list, 'utf8').split('\n');
writeFileSync(list, lines.filter((line) => !isDeleted(line)).join('\n'));

run('npm', 'run', 'build');
run('npx', 'tsc', '--noEmit');
// Packages know no plugin.
run('node', 'scripts/test.mjs', 'unit', '--testPathIgnorePatterns=/packages/');
const tests = given.length > 0 ? given : TESTS;
run('node', 'scripts/test.mjs', '--selectProjects', 'sqlite', '--runTestsByPath', ...tests);
console.log(`All is well without ${deleted.join(', ')}`);

/**
 * @param {string} command
 * @param {string[]} args
 */
function run(command, ...args) {
  const { status } = spawnSync(command, args, { cwd: copy, stdio: 'inherit' });
  if (status !== 0)
    throw new Error(`Without ${deleted.join(', ')}: ${[command, ...args].join(' ')} failed`);
}

// Counts what docs/architecture.md says of the rooms and packages: files and lines without specs, and
// how many files of src a guard and POST /chat reach.
//   node scripts/house.mjs
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { reachOf } from './reach.mjs';

const tracked = execFileSync('git', ['ls-files', 'src', 'packages', 'docs', 'README.md'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => existsSync(path) && path !== '');
const code = tracked.filter((path) => path.endsWith('.ts') && !/\.spec\.ts$/.test(path));

/** @param {string} start */
function room(start) {
  const files = code.filter((path) => path.startsWith(start));
  const lines = files.reduce(
    (sum, path) => sum + readFileSync(path, 'utf8').split('\n').length - 1,
    0,
  );
  return { files: files.length, lines };
}

/** @param {string} folder */
const foldersOf = (folder) => [
  ...new Set(
    code
      .filter((path) => path.startsWith(`${folder}/`) && path.split('/').length > 2)
      .map((path) => path.split('/').slice(0, 2).join('/')),
  ),
];

for (const folder of ['src', 'packages']) {
  for (const name of [folder, ...foldersOf(folder)]) {
    const { files, lines } = room(`${name}/`);
    console.log(`${name}: ${files} files, ${lines} lines`);
  }
}
for (const file of [
  'src/api-keys/api-key.guard.ts',
  'src/knowledge-bases/dashboard-auth/dashboard-auth.guard.ts',
  'src/chat/chat.controller.ts',
]) {
  console.log(`${file} reaches ${reachOf(file).size} files`);
}
const kilobytes = (paths) =>
  Math.round(paths.reduce((sum, path) => sum + statSync(path).size, 0) / 1000);
console.log(`README.md: ${kilobytes(['README.md'])} KB`);
const pages = tracked.filter((path) => path.startsWith('docs/') && path.endsWith('.md'));
console.log(`docs: ${kilobytes(pages)} KB in ${pages.length} pages`);
console.log(`openapi.json: ${kilobytes(['openapi.json'])} KB`);

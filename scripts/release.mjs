// The checklist of a release as a program: `node scripts/release.mjs --dry-run` says what would fail and
// writes everything into a folder; without --dry-run it also tags the commit. It publishes nothing.
//   --folder <path>  the folder (default: release/<version>, which must not exist)
//   --quick          without the tests, which take most of the time
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { billOfMaterials } from './bill-of-materials.mjs';

const PACKAGES = ['packages/cli', 'packages/client', 'packages/widget'];
const MAX_OUTPUT = 256 * 1024 * 1024;

const { values: options } = parseArgs({
  options: {
    'dry-run': { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    folder: { type: 'string' },
  },
});
const { version } = readPackage('.');
const folder = options.folder ?? join('release', version);
/** @type {string[]} */
const problems = [];

check('The working tree has no changes', () => git('status', '--porcelain') === '');
check(`CHANGELOG.md has a section for ${version}, with its date`, () => {
  const changelog = readFileSync('CHANGELOG.md', 'utf8');
  return changelog.split('\n').some((line) => {
    return line.startsWith('## ') && line.includes(version) && /\d{4}-\d{2}-\d{2}/.test(line);
  });
});
for (const path of PACKAGES) {
  check(`${path} has the version ${version}`, () => readPackage(path).version === version);
}
check(`packages/python has the version ${version}`, () =>
  readFileSync('packages/python/pyproject.toml', 'utf8').includes(`\nversion = "${version}"\n`),
);
check(`There is no tag v${version} yet`, () => git('tag', '--list', `v${version}`) === '');
check(`The folder ${folder} is new`, () => !existsSync(folder));
check('npm audit finds nothing in what is shipped', audit);
if (!options.quick) {
  check('All tests pass', () => run('npm', 'run', 'test:all'));
}
check('It builds', () => run('npm', 'run', 'build'));
if (problems.length > 0 && !options['dry-run']) stop();

if (!existsSync(folder)) writeRelease();
if (problems.length > 0) stop();
if (options['dry-run']) console.log(`\nNothing was tagged. The release would be ${folder}.`);
else {
  execFileSync('git', ['tag', '--annotate', `v${version}`, '--message', `v${version}`]);
  console.log(`\nTagged v${version}. Publish ${folder} as docs/releasing.md says.`);
}

function writeRelease() {
  mkdirSync(folder, { recursive: true });
  for (const path of PACKAGES) {
    const files = pack(path);
    for (const file of entryPoints(readPackage(path))) {
      check(`${path}, packed, has ${file}`, () => files.includes(file));
    }
  }
  check('packages/python is packed', () =>
    run('python3', '-m', 'pip', 'wheel', 'packages/python', '--no-deps', '--wheel-dir', folder),
  );
  execFileSync('git', [
    'archive',
    `--output=${join(folder, `latchkey-${version}.tar.gz`)}`,
    'HEAD',
  ]);
  for (const format of /** @type {const} */ (['cyclonedx', 'spdx'])) {
    writeFileSync(join(folder, `latchkey-${version}.${format}.json`), billOfMaterials(format));
  }
  writeFileSync(join(folder, 'provenance.json'), `${JSON.stringify(provenance(), null, 2)}\n`);
  const sums = readdirSync(folder)
    .sort()
    .map((name) => {
      const hash = createHash('sha256').update(readFileSync(join(folder, name)));
      return `${hash.digest('hex')}  ${name}\n`;
    });
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''));
  console.log(`\n${sums.join('')}`);
}

/**
 * @param {string} path of a package
 * @returns {string[]} the files in it
 */
function pack(path) {
  const args = ['pack', `./${path}`, '--pack-destination', folder, '--json'];
  const [packed] = JSON.parse(execFileSync('npm', args, { encoding: 'utf8' }));
  return packed.files.map((/** @type {{ path: string }} */ { path }) => path);
}

/**
 * @param {{ bin?: Record<string, string>, exports?: Record<string, Record<string, string>> }} manifest
 */
function entryPoints({ bin = {}, exports = {} }) {
  const paths = [...Object.values(bin), ...Object.values(exports).flatMap(Object.values)];
  return paths.map((path) => path.replace(/^\.\//, ''));
}

/** What the release was built from, and with which tools. */
function provenance() {
  const hash = createHash('sha256').update(readFileSync('package-lock.json')).digest('hex');
  return {
    version,
    commit: git('rev-parse', 'HEAD'),
    committed_at: git('show', '--no-patch', '--format=%cI', 'HEAD'),
    package_lock_sha256: hash,
    node: process.version,
    npm: execFileSync('npm', ['--version'], { encoding: 'utf8' }).trim(),
    platform: `${process.platform}-${process.arch}`,
    tested: !options.quick,
  };
}

/** @param {string} path */
function readPackage(path) {
  return JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
}

/**
 * @param {string} what
 * @param {() => boolean} holds
 */
function check(what, holds) {
  const passed = holds();
  console.log(`${passed ? 'ok     ' : 'problem'}  ${what}`);
  if (!passed) problems.push(what);
}

/** @param {string[]} args */
function git(...args) {
  return execFileSync('git', args, { encoding: 'utf8' }).trim();
}

/**
 * @param {string} command
 * @param {string[]} args
 */
function run(command, ...args) {
  return spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'] }).status === 0;
}

/** A registry that does not answer has found nothing, and proven nothing. */
function audit() {
  const { status, stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], {
    encoding: 'utf8',
    maxBuffer: MAX_OUTPUT,
  });
  if (status === 0) return true;
  const { metadata, message, error } = JSON.parse(stdout || '{}');
  if (metadata) console.log(JSON.stringify(metadata.vulnerabilities));
  else console.log(`npm audit had no answer: ${error?.summary || message || 'no reason'}`);
  return false;
}

function stop() {
  console.error(`\nNot released:\n${problems.map((what) => `- ${what}`).join('\n')}`);
  process.exit(1);
}

import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { transform } from '@swc/core';

/** Stands for the last release as long as no commit has a tag such as v1.2.3. */
const COMMIT_WITHOUT_RELEASE = '5af2aaa1cef5';

const CACHE = resolve('node_modules/.cache/latchkey-previous-release');
const run = promisify(execFile);

/**
 * Compiles the service of the last release, without checking its types, to be run with the packages
 * of this one.
 *
 * @returns {Promise<string>} its folder
 */
export async function previousRelease() {
  const commit = await findCommit();
  if (commit === undefined) throw new Error('The history of the previous release is not there');
  const folder = join(CACHE, commit);
  if (!existsSync(folder)) await build(commit, folder);
  return folder;
}

/** False where its history is not there, as in a shallow clone. */
export const hasPreviousRelease = async () => (await findCommit()) !== undefined;

/** @returns {Promise<string | undefined>} */
async function findCommit() {
  const describe = ['describe', '--tags', '--abbrev=0', '--match', 'v[0-9]*', 'HEAD^'];
  const tag = await git(...describe).catch(() => COMMIT_WITHOUT_RELEASE);
  return git('rev-parse', '--verify', `${tag}^{commit}`).catch(() => undefined);
}

/**
 * @param {string} commit
 * @param {string} folder
 */
async function build(commit, folder) {
  mkdirSync(CACHE, { recursive: true });
  const unfinished = mkdtempSync(join(CACHE, 'unfinished-'));
  await git(
    'archive',
    `--output=${join(unfinished, 'sources.tar')}`,
    commit,
    'src',
    'package.json',
  );
  await run('tar', ['-xf', 'sources.tar'], { cwd: unfinished });
  const sources = readdirSync(join(unfinished, 'src'), { recursive: true, encoding: 'utf8' });
  await Promise.all(
    sources
      .filter((path) => /(?<!\.spec|\.d)\.ts$/.test(path) && !path.startsWith('cli/'))
      .map((path) => compile(unfinished, path)),
  );
  symlinkSync(resolve('node_modules'), join(unfinished, 'node_modules'));
  // The tests of both engines may build it at the same time: the second one finds it there.
  await rename(unfinished, folder).catch(() => rmSync(unfinished, { recursive: true }));
}

/**
 * @param {string} root
 * @param {string} path below `src`
 */
async function compile(root, path) {
  const { code } = await transform(await readFile(join(root, 'src', path), 'utf8'), {
    filename: path,
    swcrc: false,
    module: { type: 'es6' },
    jsc: {
      target: 'es2022',
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true },
    },
  });
  const compiled = join(root, 'dist/src', path.replace(/\.ts$/, '.js'));
  mkdirSync(dirname(compiled), { recursive: true });
  await writeFile(compiled, code);
}

/** @param {string[]} args */
async function git(...args) {
  const { stdout } = await run('git', args);
  return stdout.trim();
}

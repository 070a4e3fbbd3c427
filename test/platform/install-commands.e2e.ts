import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly bin?: Record<string, string>;
  readonly dependencies?: Record<string, string>;
  readonly devDependencies?: Record<string, string>;
  readonly optionalDependencies?: Record<string, string>;
}

const read = (path: string) => readFileSync(path, 'utf8');
const manifest = (folder: string) => JSON.parse(read(`${folder}/package.json`)) as Manifest;

const root = manifest('.');
const npmPackages = ['packages/client', 'packages/cli', 'packages/widget'].map(manifest);
const pyproject = read('packages/python/pyproject.toml');
const fieldOf = (name: string) => new RegExp(`^${name} = "(.*)"$`, 'm').exec(pyproject)?.[1] ?? '';
const pythonName = fieldOf('name');
const importName = /"src\/(\w+)"/.exec(pyproject)?.[1] ?? '';

/** What `npm pack` and `pip wheel` call their files. */
const tarballs = npmPackages.map(
  ({ name, version }) => `./${name.replace('@', '').replace('/', '-')}-${version}.tgz`,
);
const wheel = `./${pythonName.replaceAll('-', '_')}-${fieldOf('version')}-py3-none-any.whl`;

/** Dependencies of the project itself: what the lockfile and CI install by these names is theirs. */
const foreign = Object.keys({
  ...root.dependencies,
  ...root.devDependencies,
  ...root.optionalDependencies,
});

const DOCUMENTS = globSync(
  ['*.md', '{docs,bench}/*.md', '{examples,packages,deploy}/**/README.md'],
  {
    exclude: (path) => path === 'node_modules',
  },
);
const COMMAND = /\b(npm (?:install|i|add)|npx|pip3? install)((?: +[^\s`'"|&;)]+)*)/g;

/** Every command that a person would copy to install something, or to run what is fetched for it. */
const commands = DOCUMENTS.flatMap((path) =>
  Array.from(read(path).matchAll(COMMAND), ([text, program = '', rest = '']) => ({
    where: `${path}: ${text}`,
    program: program.split(' ')[0],
    words: rest.split(' ').filter((word) => word !== '' && !word.startsWith('-')),
  })),
);

function isOurs(program: string | undefined, words: readonly string[]): boolean {
  // npx runs its first word; the others are arguments.
  if (program === 'npx') return words[0] === undefined || words[0] in (root.bin ?? {});
  if (program === 'npm') {
    return words.every(
      (word) => tarballs.includes(word) || foreign.includes(word.replace(/(?<=.)@.*/, '')),
    );
  }
  return words.every((word) => word === wheel);
}

describe('commands that install, in the documents', () => {
  it('are found', () => {
    const texts = commands.map(({ where }) => where).join('\n');
    for (const file of [...tarballs, wheel, 'onnxruntime-node', 'npx latchkey']) {
      expect(texts).toContain(file);
    }
  });

  // A name that is not published is a stranger's, today or tomorrow.
  it('name the files of our packages, or what the project itself depends on', () => {
    const others = commands.filter(({ program, words }) => !isOurs(program, words));
    expect(others.map(({ where }) => where)).toEqual([]);
  });
});

describe('the examples', () => {
  it.each(globSync('examples/*/package.json'))('%s installs the file of our package', (path) => {
    const { dependencies = {} } = JSON.parse(read(path)) as Manifest;
    const file = `file:${(tarballs[0] ?? '').slice('./'.length)}`;
    expect(dependencies).toEqual({ [npmPackages[0]?.name ?? '']: file });
  });
});

describe('what is imported in the documents', () => {
  const PYTHON = /^from (latchkey\w*) import/gm;
  const JAVASCRIPT = /from '(@?latchkey[^']*)'/g;

  it.each(['docs/clients.md', 'packages/client/README.md', 'packages/python/README.md'])(
    'has the names of our packages: %s',
    (path) => {
      const text = read(path);
      const names = [...text.matchAll(PYTHON), ...text.matchAll(JAVASCRIPT)].map(
        ([, name]) => name,
      );
      expect(names.length).toBeGreaterThan(0);
      const ours = [importName, npmPackages[0]?.name];
      expect(names.filter((name) => !ours.includes(name))).toEqual([]);
    },
  );

  it('is in Python no name of another distribution', () => {
    // `latchkey` on Python's registry is a program of others, which installs a module of that name.
    expect([pythonName, importName]).toEqual(['latchkey-client', 'latchkey_client']);
  });
});

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from '@jest/globals';

/** The folders of src, in the order of the README. */
const ORDER = [...readFileSync('README.md', 'utf8').matchAll(/^\| `([a-z-]+)\/`/gm)].map(
  ([, folder]) => String(folder),
);
const IMPORT = /\b(?:from|import) ?\(?'(\.[^']+)'/g;

/** Without commands: like the files outside of the folders, they compose the application. */
const FILES = readdirSync('src', { recursive: true })
  .map((name) => join('src', String(name)))
  .filter((file) => /^src\/[^/]+\/.*\.ts$/.test(file) && !/\.(spec|command)\.ts$/.test(file));

const folderOf = (path: string) => path.split('/')[1] ?? '';

describe('the folders of src', () => {
  it('are all in the list of the README', () => {
    expect([...ORDER].sort()).toEqual([...new Set(FILES.map(folderOf))].sort());
  });

  it('import only from folders above them in that list', () => {
    const wrong = FILES.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(IMPORT)]
        .map(([, path]) => normalize(join(dirname(file), String(path))))
        .filter((path) => ORDER.indexOf(folderOf(path)) > ORDER.indexOf(folderOf(file)))
        .map((path) => `${file} imports ${path}`),
    );
    expect(wrong).toEqual([]);
  });

  it('import nothing from the composition roots outside of them', () => {
    const wrong = FILES.filter((file) =>
      [...readFileSync(file, 'utf8').matchAll(IMPORT)].some(([, path]) =>
        /^src\/[^/]+$/.test(normalize(join(dirname(file), String(path)))),
      ),
    );
    expect(wrong).toEqual([]);
  });
});

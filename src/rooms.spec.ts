import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { reachOf } from '../scripts/reach.mjs';

/** The rooms of src, in the order of docs/architecture.md. */
const ROOMS = [
  ...readFileSync('docs/architecture.md', 'utf8').matchAll(/^\| `src\/([a-z-]+)\/`/gm),
].map(([, room]) => String(room));
/** The packages that the service is made of, which know nothing of it; the others are its clients. */
const LIBRARIES = (
  JSON.parse(readFileSync('packages/tsconfig.json', 'utf8')) as { references: { path: string }[] }
).references.map(({ path }) => path);
const IMPORT = /\b(?:from|import) ?\(?'([^']+)'/g;

interface Import {
  readonly file: string;
  /** A path from the project's folder, or what a package is called. */
  readonly of: string;
}

const listSources = (folder: string) =>
  readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((file) => /(?<!\.spec|\.e2e)\.ts$/.test(file));

const importsBelow = (folder: string): Import[] =>
  listSources(folder).flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(IMPORT)].map(([, of = '']) => ({
      file,
      of: of.startsWith('.') ? normalize(join(dirname(file), of)) : of,
    })),
  );

const roomOf = (path: string) => /^src\/([^/]+)\//.exec(path)?.[1] ?? '';
/** Of operators, in the room for them or in a plugin. */
const isCommand = (file: string) => roomOf(file) === 'operations' || file.endsWith('.command.ts');
/** The entry of a thread or a child process. */
const isThread = (file: string, index: number, files: string[]) =>
  /\.(?:worker|process)\.ts$/.test(file) && files.indexOf(file) === index;
const HEAVY =
  /^import (?!type )[^;]*? from '(?:@nestjs\/[^']+|class-transformer|class-validator|typeorm)'/m;
const inRooms = importsBelow('src').filter(({ file }) => roomOf(file) !== '');
const inPackages = LIBRARIES.flatMap((name) => importsBelow(`packages/${name}/src`));
const written = (imports: Import[]) => imports.map(({ file, of }) => `${file} imports ${of}`);

describe('the rooms of src', () => {
  it('are all in docs/architecture.md, and no other folder lies beside them', () => {
    const folders = readdirSync('src', { withFileTypes: true }).filter((one) => one.isDirectory());
    expect(folders.map(({ name }) => name).sort()).toEqual([...ROOMS].sort());
  });

  it('have platform, which imports no other room, and packages, which import packages only', () => {
    const [lowest = ''] = ROOMS;
    const fromPlatform = inRooms.filter(({ file, of }) => {
      return roomOf(file) === lowest && of.startsWith('src/') && roomOf(of) !== lowest;
    });
    const fromPackages = inPackages.filter(({ file, of }) => {
      return of.startsWith('src/') || of.startsWith('packages/')
        ? !of.startsWith(file.split('/').slice(0, 3).join('/'))
        : /^@nestjs\/|^typeorm$|^fastify$/.test(of);
    });
    expect(lowest).toBe('platform');
    expect(written([...fromPlatform, ...fromPackages])).toEqual([]);
  });

  it('import rooms above them only, and nothing from the composition beside them', () => {
    const wrong = inRooms.filter(({ file, of }) => {
      if (!of.startsWith('src/')) return false;
      // Commands compose the application, as main.ts does.
      if (isCommand(file)) return false;
      if (roomOf(of) === '') return true;
      return ROOMS.indexOf(roomOf(of)) > ROOMS.indexOf(roomOf(file));
    });
    expect(written(wrong)).toEqual([]);
  });

  it('do not import plugins or operations', () => {
    const wrong = inRooms.filter(({ file, of }) => {
      if (roomOf(of) === roomOf(file)) return false;
      return roomOf(of) === 'plugins' || (roomOf(of) === 'operations' && !isCommand(file));
    });
    expect(written(wrong)).toEqual([]);
  });

  it('have plugins, which import only those that they need', () => {
    const pluginOf = (path: string) => /^src\/plugins\/([^/]+)\//.exec(path)?.[1];
    const wrong = inRooms.filter(({ file, of }) => {
      const [plugin, other] = [pluginOf(file), pluginOf(of)];
      if (plugin === undefined || other === undefined || plugin === other) return false;
      const [, needs = ''] =
        /needs: \[([^\]]*)\]/.exec(
          readFileSync(`src/plugins/${plugin}/${plugin}.plugin.ts`, 'utf8'),
        ) ?? [];
      return !needs.includes(`'${other}'`);
    });
    expect(written(wrong)).toEqual([]);
  });

  it('name tables of plugins only as docs/plugins.md says', () => {
    const tables = listSources('src/plugins').flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/@Entity\('([^']+)'/g)].map(([, one = '']) => one),
    );
    // A name of one word is a table where SQL or TypeORM expects one.
    const toPattern = (table: string) =>
      table.includes('_') ? table : `(?:FROM|JOIN|INTO|UPDATE|TABLE) "?${table}|\\w+\\('${table}'`;
    const patterns = tables.map((table) => new RegExp(`\\b(?:${toPattern(table)})(?!\\w)`));
    const core = listSources('src')
      .filter((file) => !/^src\/(?:plugins|platform\/database\/migrations)\//.test(file))
      .map((file) => readFileSync(file, 'utf8'));
    const named = tables.filter((_, n) => core.some((text) => patterns[n]?.test(text)));
    const [, section = ''] =
      /^## What stays in the core$([^]*?)^## /m.exec(readFileSync('docs/plugins.md', 'utf8')) ?? [];
    expect(tables.length).toBeGreaterThan(10);
    expect(named).toEqual(tables.filter((table) => section.includes(`\`${table}\``)));
  });

  it('see of a package only its exports', () => {
    const exported = LIBRARIES.flatMap((name) => {
      const manifest = JSON.parse(readFileSync(`packages/${name}/package.json`, 'utf8')) as {
        exports: Record<string, unknown>;
      };
      return Object.keys(manifest.exports).map((path) => `@latchkey/${name}${path.slice(1)}`);
    });
    const wrong = [...inRooms, ...inPackages].filter(({ file, of }) => {
      if (file.startsWith('src/') && of.startsWith('packages/')) return true;
      return LIBRARIES.some((name) => of.startsWith(`@latchkey/${name}`)) && !exported.includes(of);
    });
    expect(written(wrong)).toEqual([]);
    expect(exported).not.toEqual([]);
  });
});

describe('the exported types of src', () => {
  it('have names of their own', () => {
    const EXPORTED = /^export (?:abstract )?(?:interface|type|class) (\w+)/gm;
    const files = [...new Set(importsBelow('src').map(({ file }) => file))];
    const names = files.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(EXPORTED)].map(([, name = '']) => name),
    );
    expect(names).toContain('ConversationTurn');
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });
});

describe('the guards', () => {
  it.each([
    ['src/api-keys/api-key.guard.ts', 42],
    ['src/knowledge-bases/dashboard-auth/dashboard-auth.guard.ts', 16],
  ])('%s reaches %i files at most', (guard, most) => {
    const reached = [...reachOf(guard)];
    expect(reached).toContain('src/platform/problems/problem.ts');
    expect(reached.slice(most)).toEqual([]);
  });

  it.each([...inRooms, ...inPackages].map(({ file }) => file).filter(isThread))(
    '%s loads neither Nest nor TypeORM, which takes longer than all else of its start',
    (file) => {
      const heavy = [...reachOf(file)].filter((one) => HEAVY.test(readFileSync(one, 'utf8')));
      expect(heavy).toEqual([]);
    },
  );
});

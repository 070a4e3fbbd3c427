// Bundles the service and its commands, with their packages, into dist/service, since most of a start is
// reading 3,500 small files. Workers and child processes run from dist/src.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';

const folder = 'dist/service';
const entries = readdirSync('dist/src', { recursive: true, encoding: 'utf8' })
  .filter((path) => path === 'main.js' || path.endsWith('.command.js'))
  .map((path) => `dist/src/${path}`);
if (!existsSync(`node_modules/@esbuild/${process.platform}-${process.arch}`)) {
  console.warn('The service is not bundled and starts slower: esbuild has no binary here.');
  mkdirSync(folder, { recursive: true });
  for (const path of entries) {
    const place = relative(folder, path).replaceAll('\\', '/');
    writeFileSync(join(folder, basename(path)), `import '${place}';\n`);
  }
  process.exit();
}
const { build } = await import('esbuild');

/** Native code, and the drivers, which are the same for all that is loaded into the process. */
const APART = ['bcrypt', 'better-sqlite3', 'ioredis', 'pg', 'sharp'];

/** They remember what decorators say, though Nest loads them on demand as well. */
const ONE_COPY = ['class-transformer', 'class-validator'];

/** The names of what a build has written. */
const list = `${folder}/outputs.json`;
const { metafile } = await build({
  metafile: true,
  entryPoints: entries,
  entryNames: '[name]',
  outdir: folder,
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node22',
  // Nest, TypeORM and the OpenAPI document use the names of classes.
  keepNames: true,
  // A library is found in node_modules wherever it is installed.
  preserveSymlinks: true,
  // reflect-metadata must be the first that runs, and packages that are CommonJS require what Node.js has.
  external: [...APART, 'reflect-metadata', 'class-transformer/storage'],
  banner: {
    js: "import 'reflect-metadata';\nimport { createRequire as createBundleRequire } from 'node:module';\nconst require = createBundleRequire(import.meta.url);",
  },
  plugins: [{ name: 'service', setup }],
  logLevel: 'error',
});

// A service that goes on to run on the build before loads some of its parts on demand.
const former = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : [];
const outputs = Object.keys(metafile.outputs).map((path) => basename(path));
for (const name of readdirSync(folder)) {
  if (![...outputs, ...former, basename(list)].includes(name)) rmSync(join(folder, name));
}
writeFileSync(list, JSON.stringify(outputs));

/** @param {import('esbuild').PluginBuild} build */
function setup({ onLoad, onResolve }) {
  // Packages that are loaded on demand stay where they are, if they are installed at all.
  onResolve({ filter: /^[^.]/ }, ({ kind, path }) =>
    kind === 'dynamic-import' && !ONE_COPY.includes(path) ? { path, external: true } : undefined,
  );
  onLoad({ filter: /\.m?js$/ }, ({ path }) => {
    const text = readFileSync(path, 'utf8');
    if (!text.includes('import.meta.url')) return undefined;
    // A module goes on to find its workers and files beside where it was.
    const place = JSON.stringify(relative(folder, path).replaceAll('\\', '/'));
    return {
      contents: text
        // Of Nest's packages; what they require must be the same as what is imported.
        .replace(/^const require = createRequire\(import\.meta\.url\);$/m, '')
        .replaceAll('import.meta.url', `new URL(${place}, import.meta.url).href`),
    };
  });
}

// Bundles what `nest build` has written, with the packages it needs, into dist/bundle: a start reads
// 200 files instead of 2,000, which takes half the time. The service runs from dist/src, too.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { posix, sep } from 'node:path';
import { build } from 'esbuild';
import { libraries } from './libraries.mjs';

const folder = 'dist/bundle';
// One of an earlier build must not be started instead of a newer dist/src.
rmSync(folder, { recursive: true, force: true });
if (!existsSync(`node_modules/@esbuild/${process.platform}-${process.arch}`)) {
  console.warn('The service is not bundled and starts slower: esbuild has no binary here.');
  process.exit();
}

const EXTERNAL = [
  // Binaries, and packages that look for their files.
  ...[
    'bcrypt',
    'better-sqlite3',
    '@embedpdf/pdfium',
    'ioredis',
    '@huggingface/tokenizers',
    'onnxruntime-node',
    'sqlite-vec',
    'swagger-ui-dist',
  ],
  // Whose statements test/support/die-at-statement.mjs sees.
  'pg',
  // Loaded by name at run time too, and there must be one copy of each.
  ...['reflect-metadata', 'yauzl'],
  // Loaded only where traces are on.
  ...[
    ...['context-async-hooks', 'core', 'resources', 'sdk-trace'],
    ...['exporter-trace-otlp-http', 'exporter-trace-otlp-proto'],
  ].map((name) => `@opentelemetry/${name}`),
  // Of an older class-transformer.
  'class-transformer/storage',
  // Not installed, and not needed.
  ...['@fastify/static', '@fastify/view', 'pg-native'],
  ...['@nestjs/microservices', '@nestjs/platform-express', '@nestjs/websockets'],
];

/** Require TypeORM and class-validator where esbuild does not see it, so that there would be two of each. */
const TYPEORM_COMPAT = /@nestjs.typeorm.dist.common.typeorm-compat\.js$/;
const MAPPED_TYPES = /@nestjs.mapped-types.dist.type-helpers\.utils\.js$/;
const HIDDEN_REQUIRE = 'const require = createRequire(import.meta.url);';

/** How the service names its threads and processes, which are in its folder before and in the bundle. */
const BESIDE = /new URL\('\.\/([^'/]+)\.js', import\.meta\.url\)/g;
const LOADER = /\bimport\.meta\b|\bcreateRequire\b|\b__(?:dirname|filename)\b/;

/** What loads by name what the bundle does not know, and may. */
const KNOWN_LOADERS = [
  TYPEORM_COMPAT,
  MAPPED_TYPES,
  // Packages that are external.
  /dist.src.platform.swagger-ui.swagger-ui\.js$/,
  // The WebAssembly of PDFium, by its path in the package.
  /packages.extraction.dist.pdf.pdfium\.js$/,
  // Looks for the console beside dist/src and beside the bundle.
  /dist.src.platform.console.serve-console\.js$/,
  // Files and packages for what the service does not use.
  /@nestjs.common.utils.load-package\.util\.js$/,
  /@nestjs.swagger.dist.swagger-ui.swagger-ui\.js$/,
  /(?:pino|thread-stream).*\.js$/,
];

/** Fastify registers a plugin of which it finds the default export only. */
const KNOWN_DYNAMIC_IMPORTS = [/@fastify.(?:cors|multipart).index\.js$/];

const { metafile } = await build({
  entryPoints: entryPoints(),
  outdir: folder,
  // Flat, so that a worker or process is found beside whatever part of the bundle starts it.
  entryNames: '[name]',
  chunkNames: '[name]-[hash]',
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node22',
  // Names of classes are those of schemas, migrations and loggers.
  keepNames: true,
  sourcemap: true,
  sourcesContent: false,
  metafile: true,
  external: EXTERNAL,
  plugins: [
    {
      name: 'one copy of each',
      setup: ({ onLoad }) => {
        for (const filter of [TYPEORM_COMPAT, MAPPED_TYPES]) {
          onLoad({ filter }, ({ path }) => {
            const text = read(path);
            if (!text.includes(HIDDEN_REQUIRE)) throw new Error(`${path} has no ${HIDDEN_REQUIRE}`);
            return { contents: text.replace(HIDDEN_REQUIRE, '') };
          });
        }
      },
    },
    {
      // An import reads every property of it, and one of them loads undici, which takes 50 ms.
      name: 'node:http without undici',
      setup: ({ onResolve, onLoad }) => {
        onResolve({ filter: /^(?:node:)?http$/ }, ({ kind }) =>
          kind === 'import-statement' ? { path: 'node:http', namespace: 'lazy' } : undefined,
        );
        onLoad({ filter: /./, namespace: 'lazy' }, ({ path }) => ({
          contents: `module.exports = process.getBuiltinModule('${path}')`,
        }));
      },
    },
    {
      name: 'validation',
      setup: ({ onResolve, onLoad }) => {
        // Only the ValidationPipe of Nest imports them, which BodyValidationPipe replaces.
        onResolve({ filter: /^class-(?:transformer|validator)$/ }, ({ kind }) =>
          kind === 'dynamic-import' ? { external: true } : undefined,
        );
        // The telephone numbers of all countries take 30 ms of a start, for a decorator that nothing uses.
        onLoad({ filter: /class-validator.cjs.decorator.string.IsPhoneNumber\.js$/ }, () => {
          const user = sources().find((path) => /\bis_?phone_?number\b/i.test(read(path)));
          if (user) throw new Error(`${user} uses IsPhoneNumber, which is not in the bundle`);
          return { contents: '' };
        });
      },
    },
  ],
  // Packages that are CommonJS require what Node.js has.
  banner: {
    // Decorators of any file need reflect-metadata, and files of a bundle run in another order.
    js: "import 'reflect-metadata';\nimport { createRequire as createBundleRequire } from 'node:module';\nconst require = createBundleRequire(import.meta.url);",
  },
  // The Swagger plugin writes `enum` twice where a decorator has it, too.
  logOverride: { 'duplicate-object-key': 'silent' },
  logLevel: 'warning',
});

const doubts = [...hiddenLoaders(metafile.inputs), ...lostExports(metafile.inputs)];
if (doubts.length > 0) {
  rmSync(folder, { recursive: true });
  throw new Error(`scripts/build-service.mjs must say what to do about\n${doubts.join('\n')}`);
}

/** The service, its commands, and what they start as a thread or process. */
function entryPoints() {
  const files = sources();
  const commands = files.filter((path) => path.endsWith('.command.ts'));
  const started = files.flatMap((path) => {
    const urls = read(path).matchAll(BESIDE);
    return [...urls].map(([, file]) => `${posix.join(posix.dirname(path), file)}.ts`);
  });
  const entries = new Set(['src/main.ts', ...commands, ...started]);
  return [...entries].map(compiled);
}

function sources() {
  return ['src', ...libraries().map((name) => `packages/${name}/src`)].flatMap((folder) =>
    readdirSync(folder, { recursive: true })
      .map((path) => posix.join(folder, path.split(sep).join('/')))
      .filter((path) => /(?<!\.spec)\.ts$/.test(path)),
  );
}

/** Where a source is after the build: packages have a `dist` each, beside their `src`. */
function compiled(path) {
  const file = path.replace(/\.ts$/, '.js');
  return file.startsWith('src/') ? `dist/${file}` : file.replace('/src/', '/dist/');
}

/** Files that load, by a path or a require of their own, what esbuild does not see. */
function hiddenLoaders(inputs) {
  return Object.keys(inputs)
    .filter((path) => existsSync(path) && !KNOWN_LOADERS.some((known) => known.test(path)))
    .filter((path) => LOADER.test(read(path).replace(BESIDE, '')))
    .map((path) => `${path}, which loads by name`);
}

/** Bundled CommonJS that is imported dynamically: of its exports, only the default would be found. */
function lostExports(inputs) {
  return Object.entries(inputs).flatMap(([importer, { imports }]) =>
    imports
      .filter(({ kind, path }) => kind === 'dynamic-import' && inputs[path]?.format === 'cjs')
      .filter(({ path }) => !KNOWN_DYNAMIC_IMPORTS.some((known) => known.test(path)))
      .map(({ path }) => `${path}, which ${importer} imports dynamically`),
  );
}

function read(path) {
  return readFileSync(path, 'utf8');
}

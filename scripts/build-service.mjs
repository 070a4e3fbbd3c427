// Bundles what `nest build` has written, with the packages it needs, into dist/bundle: a start reads
// some 20 files instead of 2,000, which takes half the time. The service runs from dist/src, too.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { posix, sep } from 'node:path';
import { build } from 'esbuild';

const folder = 'dist/bundle';
// One of an earlier build must not be started instead of a newer dist/src.
rmSync(folder, { recursive: true, force: true });
if (!existsSync(`node_modules/@esbuild/${process.platform}-${process.arch}`)) {
  console.warn('The service is not bundled and starts slower: esbuild has no binary here.');
  process.exit();
}

/** Binaries, files that are looked up by their path, and what is not installed and not needed. */
const EXTERNAL = [
  ...['bcrypt', 'better-sqlite3', 'sqlite-vec'],
  ...['ioredis', 'piscina', 'swagger-ui-dist'],
  ...['@fastify/static', '@fastify/view'],
  ...['@nestjs/microservices', '@nestjs/platform-express', '@nestjs/websockets'],
  ...['class-transformer/storage', 'pg-native'],
];

/**
 * These load a package by createRequire, which esbuild does not see: they would get a second copy of
 * it, without what the bundled one knows.
 */
const HIDDEN_REQUIRE =
  /@nestjs.(?:mapped-types.dist.type-helpers\.utils|typeorm.dist.common.typeorm-compat)\.js$/;
const CREATE_REQUIRE = 'const require = createRequire(import.meta.url);';

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
      name: 'hidden-require',
      setup: ({ onLoad }) => {
        onLoad({ filter: HIDDEN_REQUIRE }, ({ path }) => ({ contents: withoutRequire(path) }));
      },
    },
  ],
  // Packages that are CommonJS require what Node.js has.
  banner: {
    js: "import { createRequire as createBundleRequire } from 'node:module';\nconst require = createBundleRequire(import.meta.url);",
  },
  // The Swagger plugin writes `enum` twice where a decorator has it, too.
  logOverride: { 'duplicate-object-key': 'silent' },
  logLevel: 'warning',
});
requireKnownLoaders(Object.keys(metafile.inputs));

/** The service, its commands, and what they start as a thread or process. */
function entryPoints() {
  const sources = readdirSync('src', { recursive: true })
    .map((path) => path.split(sep).join('/'))
    .filter((path) => /(?<!\.spec)\.ts$/.test(path) && !path.startsWith('cli/'));
  const commands = sources.filter((path) => path.endsWith('.command.ts'));
  const started = sources.flatMap((path) => {
    const text = read(`src/${path}`);
    const urls = text.matchAll(/new URL\('(\..+?)\.js', import\.meta\.url\)/g);
    return [...urls].map(([, file]) => `${posix.join(posix.dirname(path), file)}.ts`);
  });
  const entries = new Set(['main.ts', ...commands, ...started]);
  return [...entries].map((path) => `dist/src/${path.replace(/\.ts$/, '.js')}`);
}

function withoutRequire(path) {
  const text = read(path);
  if (!text.includes(CREATE_REQUIRE)) throw new Error(`${path} has no "${CREATE_REQUIRE}"`);
  return text.replace(CREATE_REQUIRE, '');
}

/** Fails when another package begins to load what esbuild does not see. */
function requireKnownLoaders(inputs) {
  const known = [
    HIDDEN_REQUIRE,
    // Files and packages for what the service does not use.
    /@nestjs.common.utils.load-package\.util\.js$/,
    /@nestjs.swagger.dist.swagger-ui.swagger-ui\.js$/,
    /(?:pino|thread-stream).*\.js$/,
    /unpdf.dist.pdfjs\.mjs$/,
    // Finds the files of Swagger UI.
    /dist.src.openapi.swagger-ui\.js$/,
  ];
  const unknown = inputs
    .filter((path) => existsSync(path) && !known.some((pattern) => pattern.test(path)))
    .filter((path) => /\bcreateRequire\b|\b__(?:dirname|filename)\b/.test(read(path)));
  if (unknown.length === 0) return;
  rmSync(folder, { recursive: true });
  throw new Error(
    `Decide in scripts/build-service.mjs what these may load:\n${unknown.join('\n')}`,
  );
}

function read(path) {
  return readFileSync(path, 'utf8');
}

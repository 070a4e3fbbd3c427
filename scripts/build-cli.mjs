// Bundles the command line with all it needs into one file, in the package that can be published.
//   --required  fails where it cannot be built: a package without it must not be packed
import { copyFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

// npm runs it in the folder of the package.
process.chdir(join(import.meta.dirname, '..'));

// The service does without the command line, so it is built and started all the same.
if (!existsSync(`node_modules/@esbuild/${process.platform}-${process.arch}`)) {
  console.warn(
    'The command line is not built: esbuild has no binary here. `npm ci` without --omit=optional brings it.',
  );
  process.exit(process.argv.includes('--required') ? 1 : 0);
}

const folder = 'packages/cli';
const read = (path) => JSON.parse(readFileSync(path, 'utf8'));
const { version } = read('package.json');
if (read(`${folder}/package.json`).version !== version) {
  throw new Error(`${folder}/package.json must have the version of package.json, ${version}`);
}

const outfile = `${folder}/dist/latchkey.${process.pid}.js`;
const { metafile } = await build({
  absWorkingDir: process.cwd(),
  entryPoints: ['packages/cli/src/main.ts'],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node22',
  alias: { '@latchkey/client': './packages/client/src/index.ts' },
  minifySyntax: true,
  metafile: true,
  define: { LATCHKEY_VERSION: JSON.stringify(version) },
  // Packages that are CommonJS require what Node.js has.
  banner: {
    js: "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);",
  },
  logLevel: 'warning',
});
// At once, since others may be running it.
renameSync(outfile, `${folder}/dist/latchkey.js`);

// Their licences ask to be passed on with them.
const packages = new Set(
  Object.keys(metafile.inputs).flatMap(
    (path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? [],
  ),
);
const licences = [...packages].sort().map((path) => {
  const { name, version, license } = read(join(path, 'package.json'));
  const file = ['LICENSE', 'license', 'LICENSE.md', 'LICENCE', 'LICENSE.txt', 'LICENSE-MIT']
    .map((one) => join(path, one))
    .find(existsSync);
  const text = file === undefined ? '' : `\n\n${readFileSync(file, 'utf8').trim()}`;
  return `${name} ${version}, ${license}${text}\n`;
});
writeFileSync(`${folder}/dist/THIRD-PARTY-LICENSES.txt`, licences.join(`\n${'-'.repeat(80)}\n\n`));
copyFileSync('LICENSE', `${folder}/LICENSE`);

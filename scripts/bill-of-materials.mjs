import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MAX_OUTPUT = 256 * 1024 * 1024;

/**
 * The bill of materials of what `npm ci --omit=dev` installs, from the lockfile, so that it does not
 * matter what is installed.
 *
 * `npm sbom --omit=dev` leaves out every package that a development dependency needs too, such as
 * `pg`, so it gets a lockfile without development dependencies.
 *
 * @param {'cyclonedx' | 'spdx'} format
 * @returns {string} JSON
 */
export function billOfMaterials(format) {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  delete manifest.devDependencies;
  for (const one of Object.values(lock.packages)) delete one.devDependencies;
  // One that refers to a development dependency cannot be resolved without it.
  manifest.overrides = Object.fromEntries(
    Object.entries(manifest.overrides).filter(([, value]) =>
      referencesOf(value).every((name) => name in manifest.dependencies),
    ),
  );
  for (const [path, { dev }] of Object.entries(lock.packages)) {
    if (dev) delete lock.packages[path];
  }
  const scratch = mkdtempSync(join(tmpdir(), 'latchkey-bill-'));
  try {
    // The folder's name becomes that of the product.
    const folder = join(scratch, manifest.name);
    mkdirSync(folder);
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
    const args = ['sbom', '--package-lock-only', `--sbom-format=${format}`];
    return execFileSync('npm', args, { cwd: folder, encoding: 'utf8', maxBuffer: MAX_OUTPUT });
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

/**
 * @param {unknown} override
 * @returns {string[]} the dependencies whose version it takes, written `$name`
 */
const referencesOf = (override) =>
  [...JSON.stringify(override).matchAll(/"\$([^"]+)"/g)].map(([, name = '']) => name);

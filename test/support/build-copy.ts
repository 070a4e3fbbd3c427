import { cpSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { libraries } from '../../scripts/libraries.mjs';

/**
 * A folder in which the service is built as it is here. Packages are looked for from where a file
 * really is, so what is copied finds those of the folder, and what is linked those of this build.
 *
 * @param without whether a package of the registry is not installed there
 * @param copied packages that are copied rather than linked
 */
export function copyOfBuild(
  without: (name: string) => boolean = () => false,
  copied: readonly string[] = [],
): string {
  const directory = mkdtempSync(join(process.env['LATCHKEY_TEST_DIR'] ?? tmpdir(), 'build-'));
  for (const path of ['dist/service', 'dist/src']) {
    cpSync(path, join(directory, path), { recursive: true });
  }
  cpSync('package.json', join(directory, 'package.json'));
  const packages = join(directory, 'node_modules');
  mkdirSync(join(packages, '@latchkey'), { recursive: true });
  for (const name of readdirSync('node_modules')) {
    if (name.startsWith('.') || name === '@latchkey' || without(name)) continue;
    const [from, to] = [resolve('node_modules', name), join(packages, name)];
    if (copied.includes(name)) cpSync(from, to, { recursive: true });
    else symlinkSync(from, to);
  }
  for (const name of libraries()) {
    for (const path of ['package.json', 'dist']) {
      const to = join(packages, '@latchkey', name, path);
      cpSync(join('packages', name, path), to, { recursive: true });
    }
  }
  return directory;
}

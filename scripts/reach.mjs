// Counts the files of src and packages that files reach through their imports, themselves included; without types, unless
// `types` asks for them.
//   node scripts/reach.mjs [--list] [file …]
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const IMPORT =
  /^(?:import|export)\b(?! type)[^;]*?\bfrom '((?:\.|@latchkey\/)[^']+)'|^import '(\.[^']+)'/gm;
const IMPORT_OR_TYPE =
  /^(?:import|export)\b[^;]*?\bfrom '((?:\.|@latchkey\/)[^']+)'|^import '(\.[^']+)'/gm;

/**
 * @param {string} file
 * @param {{ types?: boolean, reached?: Set<string> }} [options]
 */
export function reachOf(file, { types = false, reached = new Set() } = {}) {
  if (reached.has(file)) return reached;
  reached.add(file);
  const imports = readFileSync(file, 'utf8').matchAll(types ? IMPORT_OR_TYPE : IMPORT);
  for (const [, from, only] of imports) {
    const path = resolveImport(file, from ?? only ?? '');
    if (existsSync(path)) reachOf(path, { types, reached });
  }
  return reached;
}

/**
 * @param {string} file
 * @param {string} from relative, or below one of our packages
 */
function resolveImport(file, from) {
  const [, name, subpath] = /^@latchkey\/([^/]+)\/(.+)$/.exec(from) ?? [];
  if (name === undefined) return join(dirname(file), from.replace(/\.js$/, '.ts'));
  const { exports } = JSON.parse(readFileSync(`packages/${name}/package.json`, 'utf8'));
  const source = exports[`./${subpath}`]?.['@latchkey/source'];
  return source ? join('packages', name, source) : from;
}

if (import.meta.main) {
  const given = process.argv.slice(2).filter((argument) => argument !== '--list');
  const files =
    given.length > 0
      ? given
      : [
          'src/api-keys/api-key.guard.ts',
          'src/knowledge-bases/dashboard-auth/dashboard-auth.guard.ts',
          'src/chat/chat.controller.ts',
        ];
  for (const file of files) {
    const reached = [...reachOf(file)].sort();
    console.log(
      `${file}: ${reached.length} files in ${new Set(reached.map(dirname)).size} folders`,
    );
    if (process.argv.includes('--list')) console.log(reached.join('\n'));
  }
}

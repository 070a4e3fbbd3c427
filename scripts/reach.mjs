// Counts the files of src that files reach through their imports, themselves included; types are left out.
//   node scripts/reach.mjs [--list] [file …]
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const IMPORT = /^(?:import|export)\b(?! type)[^;]*?\bfrom '(\.[^']+)'|^import '(\.[^']+)'/gm;

/**
 * @param {string} file
 * @param {Set<string>} reached
 */
export function reachOf(file, reached = new Set()) {
  if (reached.has(file)) return reached;
  reached.add(file);
  for (const [, from, only] of readFileSync(file, 'utf8').matchAll(IMPORT)) {
    const path = join(dirname(file), (from ?? only ?? '').replace(/\.js$/, '.ts'));
    if (existsSync(path)) reachOf(path, reached);
  }
  return reached;
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

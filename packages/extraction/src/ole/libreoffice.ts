import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Unreadable } from '../unreadable.js';

/** Common paths of LibreOffice, needed because the process that reads documents has no `PATH`. */
const PROGRAMS = [
  '/usr/bin/soffice',
  '/usr/local/bin/soffice',
  '/opt/libreoffice/program/soffice',
  '/snap/bin/libreoffice',
  '/Applications/LibreOffice.app/Contents/MacOS/soffice',
];
const TIMEOUT_MS = 120_000;
/**
 * Limits of CPU seconds, memory and written files in KiB, and where the system allows it no network. When this process has read the result or has
 * ended, the input of the shell ends, and it removes the directory.
 */
const SCRIPT = `ulimit -t 60; ulimit -v 4000000; ulimit -f 400000
unshare -rn true 2>/dev/null && set -- "$@" unshare -rn
program=$1; directory=$2; extension=$3; shift 3
"$@" "$program" -env:UserInstallation="file://$directory/profile" --headless --norestore \
  --nolockcheck --convert-to "$extension" --outdir "$directory/out" "$directory/document" \
  </dev/null >/dev/null 2>&1
echo done; read -r _; rm -rf "$directory"`;
/** Disables network access, links to other files, and macros. */
const SETTINGS: readonly [path: string, name: string, value: string | number | boolean][] = [
  ['Inet/Settings', 'ooInetProxyType', 2],
  ...['HTTP', 'HTTPS', 'FTP'].flatMap((protocol): [string, string, string | number][] => [
    ['Inet/Settings', `ooInet${protocol}ProxyName`, '127.0.0.1'],
    ['Inet/Settings', `ooInet${protocol}ProxyPort`, 9],
  ]),
  ['Office.Common/Security/Scripting', 'BlockUntrustedRefererLinks', true],
  ['Office.Common/Security/Scripting', 'DisableActiveContent', true],
  ['Office.Common/Security/Scripting', 'DisableMacrosExecution', true],
  ['Office.Common/Security/Scripting', 'MacroSecurityLevel', 3],
  ['Office.Writer/Content/Update', 'Link', 0],
  ['Office.Calc/Content/Update', 'Link', 2],
];

/**
 * Converts a document to another format by LibreOffice.
 *
 * @throws Unreadable `unsupported_type` where it is not installed, `parse_failed` where it fails
 */
export async function convert(
  content: Uint8Array,
  extension: string,
  programs: readonly string[] = PROGRAMS,
): Promise<Uint8Array> {
  const program = programs.find((path) => existsSync(path));
  if (program === undefined) {
    throw new Unreadable(
      'unsupported_type',
      'Reading this format needs LibreOffice on the server; install it, or save the file in a newer format.',
    );
  }
  const directory = await mkdtemp(join(tmpdir(), 'latchkey-office-'));
  await mkdir(join(directory, 'profile/user'), { recursive: true });
  await writeFile(join(directory, 'profile/user/registrymodifications.xcu'), writeSettings());
  await writeFile(join(directory, 'document'), content, { mode: 0o600 });
  const child = spawn('/bin/sh', ['-c', SCRIPT, 'sh', program, directory, extension], {
    env: { HOME: directory, PATH: '/usr/bin:/bin', LANG: 'C.UTF-8' },
    cwd: directory,
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const timeout = setTimeout(() => {
    // Kill the process group, since LibreOffice's launcher starts another process.
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  }, TIMEOUT_MS);
  try {
    await Promise.race([once(child.stdout, 'data'), once(child, 'close')]);
    return await readFile(join(directory, 'out', `document.${extension}`));
  } catch {
    throw new Unreadable('parse_failed', 'LibreOffice could not open the document.');
  } finally {
    clearTimeout(timeout);
    child.stdin.end();
  }
}

const writeSettings = () => `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema">
${SETTINGS.map(
  ([path, name, value]) =>
    `<item oor:path="/org.openoffice.${path}"><prop oor:name="${name}" oor:op="fuse"><value>${value}</value></prop></item>`,
).join('\n')}
</oor:items>`;

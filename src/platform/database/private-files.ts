import { chmodSync, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const OTHERS = 0o077;
/** The mode of a directory that users share, such as /tmp. */
const STICKY = 0o1000;

/**
 * Removes other users' access to DATA_DIR and everything in it, which older versions or copies may have
 * left: it contains every document, and the pepper. New files, including SQLite's, are private by the
 * process's umask.
 */
export function makePrivate(dataDir: string): void {
  process.umask(OTHERS);
  mkdirSync(dataDir, { recursive: true });
  for (const { path, mode } of findOpenToOthers(dataDir)) {
    try {
      chmodSync(path, mode & 0o777 & ~OTHERS);
    } catch (error) {
      // Removed by another process, or owned by another user, which the doctor reports.
      if (!isErrno(error, 'ENOENT', 'EPERM', 'EROFS')) throw error;
    }
  }
}

/** Files and directories of DATA_DIR that other users of the machine may read, write or list. */
export function findOpenToOthers(dataDir: string): { path: string; mode: number }[] {
  // Windows has no such modes.
  if (process.platform === 'win32') return [];
  const found: { path: string; mode: number }[] = [];
  const examine = (path: string): void => {
    const entry = lstatSync(path, { throwIfNoEntry: false });
    if (!entry || entry.isSymbolicLink()) return;
    if ((entry.mode & OTHERS) !== 0) found.push({ path, mode: entry.mode });
    if (!entry.isDirectory()) return;
    for (const name of listNames(path)) examine(join(path, name));
  };
  const root = lstatSync(dataDir, { throwIfNoEntry: false });
  // A directory that all users share must stay open to them.
  if (root && (root.mode & STICKY) === 0) examine(dataDir);
  return found;
}

function listNames(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'EACCES')) return [];
    throw error;
  }
}

const isErrno = (error: unknown, ...codes: string[]): boolean =>
  error instanceof Error && 'code' in error && codes.includes(String(error.code));

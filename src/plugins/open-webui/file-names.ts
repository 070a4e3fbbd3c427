/**
 * httpx, by which oikb uploads, writes quotes and control characters of a file's name like this. The names
 * of a manifest are read the same way, so that both name the same document.
 */
const ESCAPED = /%(22|[01][0-9a-f])/gi;

/** Clients name directories by ids, which they get from us: the path itself, in another alphabet. */
const DIRECTORY = 'dir-';

/** Joins a path and a file's name to the key of a document, in one form of Unicode on every machine. */
export const toKey = (path: string, filename: string): string =>
  (path === '' ? filename : `${path}/${filename}`)
    .replace(ESCAPED, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
    .normalize('NFC');

/** Splits a key into the path and the file's name. */
export function fromKey(key: string): { path: string; filename: string } {
  const end = key.lastIndexOf('/');
  return { path: key.slice(0, Math.max(0, end)), filename: key.slice(end + 1) };
}

export const toDirectoryId = (path: string): string =>
  DIRECTORY + Buffer.from(path).toString('base64url');

/** @returns undefined for what is no id of a directory */
export function fromDirectoryId(id: string): string | undefined {
  if (!id.startsWith(DIRECTORY)) return undefined;
  const path = Buffer.from(id.slice(DIRECTORY.length), 'base64url').toString();
  return toDirectoryId(path) === id ? path : undefined;
}

/** Whether a path leads out of its folder, or is not relative to it. */
export const isOutside = (path: string): boolean =>
  path.includes('\0') ||
  path.split('/').some((part) => part === '' || part === '.' || part === '..');

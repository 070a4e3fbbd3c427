/** A file or folder by its names below the address of a source, and by its path at the server. */
export interface Member {
  /** The last name, decoded; undefined if it is no UTF-8, or has a slash in it. */
  readonly name: string | undefined;
  /** As the server encodes it. */
  readonly path: string;
}

/**
 * Finds what an address of a listing names in the folder: a member, or the folder itself.
 *
 * Only the path counts: behind a proxy, servers name themselves differently, and no request goes to the host
 * that an address names.
 *
 * @returns `self`; undefined for what is not directly in the folder
 */
export function findMember(folder: string, href: string): Member | 'self' | undefined {
  // Some servers leave these as they are in the name of a file.
  const escaped = href.replaceAll('#', '%23').replaceAll('?', '%3F');
  const path = URL.parse(escaped, 'http://localhost/')?.pathname;
  if (path === undefined) return undefined;
  const above = splitPath(folder);
  const names = splitPath(path);
  const isBelow = above.every((name, index) => isSame(name, names[index]));
  if (!isBelow || names.length > above.length + 1) return undefined;
  const last = names[above.length];
  return last === undefined ? 'self' : { name: decodeName(last), path };
}

const splitPath = (path: string) => path.split('/').filter((name) => name !== '');

/** Servers encode different characters. */
const isSame = (one: string, other: string | undefined) =>
  other !== undefined && (one === other || (decodeName(one) ?? one) === decodeName(other));

function decodeName(name: string): string | undefined {
  try {
    const decoded = decodeURIComponent(name);
    return /[/\0]/.test(decoded) ? undefined : decoded;
  } catch {
    return undefined;
  }
}

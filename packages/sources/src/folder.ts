import { constants, type BigIntStats } from 'node:fs';
import { lstat, open, opendir, realpath } from 'node:fs/promises';
import { basename, isAbsolute, join, relative, sep } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { isNativeError } from 'node:util/types';
import { type AccessMap, readAccessMap } from './access-map.js';
import { ClosedPlaces } from './closed-places.js';
import { ConfigFields } from './config-fields.js';
import { isSidecarName, MAX_SIDECAR_BYTES, SIDECAR } from './sidecars/sidecar.js';
import { getFolder, type SidecarContent, Sidecars } from './sidecars/sidecars.js';
import {
  type OpenSource,
  type SidecarReport,
  type SourceContent,
  type SourceContext,
  type SourceEntry,
  SourceError,
  type SourceKind,
} from './source-kind.js';

interface FolderConfig {
  readonly path: string;
  /** Rules by the path within the folder. */
  readonly access?: AccessMap;
}

/**
 * The kind for directories of the service's machine.
 *
 * @param roots directories must be below one of these; without roots, no directory is allowed
 * @param closed places that no source may read, even through links and mounts
 */
export const folder = (
  roots: readonly string[],
  closed: readonly string[] = [],
): SourceKind<FolderConfig, object> => ({
  type: 'folder',

  parse(config, credentials) {
    const fields = new ConfigFields('config', config);
    const path = fields.text('path');
    if (path !== '' && !isAbsolute(path)) fields.refuse('path', 'must be an absolute path');
    else if (path !== '' && !roots.some((root) => isBelow(path, root))) {
      fields.refuse('path', 'must be in one of the folders of SOURCE_FOLDERS');
    }
    const access = readAccessMap(fields, [path, ...roots]);
    fields.finish();
    new ConfigFields('credentials', credentials).finish();
    return { config: { path, ...access }, credentials: {} };
  },

  async test({ path }) {
    const { real } = await resolveAllowed(path, roots, closed);
    const directory = await opendir(real).catch((error: unknown) => {
      throw toSourceError(error);
    });
    await directory.close();
  },

  async open({ path, access }, _credentials, context) {
    const { real, places, root } = await resolveAllowed(path, roots, closed);
    return new OpenFolder(real, places, access, context, listAbove(real, root));
  },
});

class OpenFolder implements OpenSource {
  readonly parallelLoads = 4;
  private readonly sidecars: Sidecars;
  /** The versions of the sidecars that were read, by their keys. */
  private readonly versions = new Map<string, string>();

  constructor(
    private readonly path: string,
    private readonly closed: ClosedPlaces,
    readonly access: AccessMap | undefined,
    private readonly context: SourceContext,
    /** The folders above, within those that may be connected, whose sidecars apply too. */
    private readonly above: readonly string[],
  ) {
    this.sidecars = new Sidecars(access, above);
  }

  async readSidecars(): Promise<SidecarReport> {
    for (const folder of this.above) {
      const stats = await this.findSidecar(folder);
      if (stats) await this.addSidecar(joinKey(folder, SIDECAR), stats);
    }
    for await (const { at, entries } of this.walk()) {
      const files = entries.filter(({ stats }) => stats.isFile());
      const names = files.map(({ name }) => name).filter((name) => !isSidecarName(name));
      for (const { name, stats } of entries) {
        if (isSidecarName(name)) await this.addSidecar(joinKey(at, name), stats, names);
      }
    }
    return this.sidecars.report;
  }

  async *list(): AsyncIterable<SourceEntry> {
    let links = 0;
    let changed = 0;
    for await (const { at, entries } of this.walk()) {
      // A rule is that of the files only if it is the same before and after they were listed.
      const isChanged = await this.hasOtherSidecars(at);
      for (const { name, stats } of entries) {
        if (isSidecarName(name)) continue;
        if (stats.isSymbolicLink()) links++;
        if (!stats.isFile()) continue;
        const entry = this.toEntry(joinKey(at, name), stats);
        if (isChanged) changed++;
        yield isChanged ? { ...entry, access: 'unreadable' } : entry;
      }
    }
    if (links > 0) this.context.warn(`${links} symbolic links are left out.`);
    if (changed > 0) this.context.warn(`${SIDECAR} was changed while files were listed.`);
  }

  /** Yields the directories with their entries. Each is read whole before the next one. */
  private async *walk() {
    let count = 0;
    // The walk is depth-first without recursion, so that a deep tree does not exhaust the stack.
    const directories = [''];
    for (let at = directories.pop(); at !== undefined; at = directories.pop()) {
      const entries: { name: string; stats: BigIntStats }[] = [];
      for await (const entry of this.read(at)) {
        const isSidecar = isSidecarName(entry.name);
        if (entry.stats.isDirectory() && !isSidecar) directories.push(joinKey(at, entry.name));
        if (entry.stats.isFile() && !isSidecar && ++count > this.context.limits.maxEntries) {
          throw new SourceError('too_many_documents', 'The folder has too many files.');
        }
        entries.push(entry);
      }
      yield { at, entries };
    }
  }

  private async addSidecar(
    key: string,
    stats: BigIntStats,
    names?: readonly string[],
  ): Promise<void> {
    this.sidecars.add(key, await this.readSidecar(key, stats), names);
    this.versions.set(key, toVersion(stats));
  }

  private async readSidecar(key: string, stats: BigIntStats): Promise<SidecarContent> {
    if (!stats.isFile()) return { problem: 'It is no file.' };
    if (stats.size > MAX_SIDECAR_BYTES) return new Uint8Array(MAX_SIDECAR_BYTES + 1);
    try {
      const { body } = await this.load({ key, version: toVersion(stats), url: '' });
      return await buffer(body);
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      return { problem: error.message };
    }
  }

  /** Whether the sidecar of a directory, or one above, is not the one that was read. */
  private async hasOtherSidecars(at: string): Promise<boolean> {
    const folders = [...this.above, ''];
    for (let folder = at; folder !== ''; folder = getFolder(folder)) folders.push(folder);
    for (const folder of folders) {
      const stats = await this.findSidecar(folder);
      const version = stats && toVersion(stats);
      if (version !== this.versions.get(joinKey(folder, SIDECAR))) return true;
    }
    return false;
  }

  private findSidecar(folder: string): Promise<BigIntStats | undefined> {
    return lstat(join(this.path, folder, SIDECAR), { bigint: true })
      .catch(ignoreMissing)
      .catch((error: unknown) => {
        throw toSourceError(error);
      });
  }

  async load({ key, version }: SourceEntry): Promise<SourceContent> {
    const path = join(this.path, key);
    try {
      // A directory above may have become a link since it was listed.
      if ((await realpath(path)) !== path) throw notAllowed();
      const file = await open(
        path,
        constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
      );
      const stats = await file.stat({ bigint: true });
      if (!stats.isFile() || toVersion(stats) !== version) {
        await file.close();
        throw new SourceError('changed_while_reading', 'The file was changed while it was read.');
      }
      return { body: file.createReadStream(), fileName: basename(key) };
    } catch (error) {
      throw toSourceError(error);
    }
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  /** Lists the entries of a directory, except for hidden ones that are no sidecars. */
  private async *read(at: string) {
    const path = join(this.path, at);
    try {
      // The directory may have become a link that leads out of the folder.
      if ((await realpath(path)) !== path) throw notAllowed();
      for await (const entry of await opendir(path)) {
        this.context.signal.throwIfAborted();
        const { name } = entry;
        if (name.startsWith('.') && !isSidecarName(name)) continue;
        const stats = await lstat(join(path, name), { bigint: true }).catch(ignoreMissing);
        if (stats && this.closed.has(stats)) throw closedPlace();
        if (stats) yield { name, stats };
      }
    } catch (error) {
      throw toSourceError(error);
    }
  }

  private toEntry(key: string, stats: BigIntStats): SourceEntry {
    return {
      key,
      version: toVersion(stats),
      // The URL begins at the folder, so that readers do not see the directories of the machine.
      url: pathToFileURL(`/${key}`).href,
      size: Number(stats.size),
      modifiedAt: stats.mtime,
      ...this.sidecars.findAccess(key),
    };
  }
}

/** The version includes the inode's change time, since programs may reset the modification time. */
const toVersion = ({ ino, size, mtimeNs, ctimeNs }: BigIntStats) =>
  [ino, size, mtimeNs, ctimeNs].join('-');

const isBelow = (path: string, root: string) =>
  join(path, sep).startsWith(join(root, sep)) && !path.split(sep).includes('..');

/** Resolves a path to its real path, which must be below a root and outside of all closed places. */
async function resolveAllowed(path: string, roots: readonly string[], closed: readonly string[]) {
  try {
    const real = await realpath(path);
    const allowed = await Promise.all(roots.map((root) => realpath(root).catch(() => undefined)));
    const [root] = allowed
      .filter((one) => one !== undefined && isBelow(real, one))
      .sort((one = '', other = '') => one.length - other.length);
    if (root === undefined) throw notAllowed();
    const places = await ClosedPlaces.find(closed);
    if (await places.overlap(real)) throw closedPlace();
    return { real, places, root };
  } catch (error) {
    throw toSourceError(error);
  }
}

/** The folders from a root to the one above a path, as paths relative to it. */
function listAbove(path: string, root: string): string[] {
  const depth = relative(root, path).split(sep).filter(Boolean).length;
  return Array.from({ length: depth }, (_, index) =>
    Array.from({ length: depth - index }, () => '..').join('/'),
  );
}

const joinKey = (folder: string, name: string) => (folder === '' ? name : `${folder}/${name}`);

const notAllowed = () => new SourceError('not_allowed', 'A link leads out of the folder.');

const closedPlace = () =>
  new SourceError('not_allowed', 'The folder has data of the service in it, or is within them.');

/** Ignores the error of a file that was deleted after its directory was read. */
function ignoreMissing(error: unknown): undefined {
  if (getErrorCode(error) !== 'ENOENT') throw error;
}

const getErrorCode = (error: unknown) =>
  isNativeError(error) && 'code' in error ? error.code : '';

const MESSAGES: Readonly<Record<string, string>> = {
  ENOENT: 'The folder, or a file in it, does not exist.',
  ENOTDIR: 'The path is no folder.',
  EACCES: 'The service may not read the folder, or a file in it.',
};

function toSourceError(error: unknown): unknown {
  const code = String(getErrorCode(error));
  if (error instanceof SourceError || !/^E[A-Z]+$/.test(code)) return error;
  const kind = code === 'ENOENT' ? 'not_found' : code === 'EACCES' ? 'unauthorized' : 'unreadable';
  return new SourceError(kind, MESSAGES[code] ?? 'The folder cannot be read.', { cause: error });
}

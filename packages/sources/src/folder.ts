import { constants, type BigIntStats } from 'node:fs';
import { lstat, open, opendir, realpath } from 'node:fs/promises';
import { basename, isAbsolute, join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isNativeError } from 'node:util/types';
import { type AccessMap, findAccess, readAccessMap } from './access-map.js';
import { ClosedPlaces } from './closed-places.js';
import { ConfigFields } from './config-fields.js';
import {
  type OpenSource,
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
    const { real, places } = await resolveAllowed(path, roots, closed);
    return new OpenFolder(real, places, access, context);
  },
});

class OpenFolder implements OpenSource {
  readonly parallelLoads = 4;

  constructor(
    private readonly path: string,
    private readonly closed: ClosedPlaces,
    readonly access: AccessMap | undefined,
    private readonly context: SourceContext,
  ) {}

  async *list(): AsyncIterable<SourceEntry> {
    let count = 0;
    let links = 0;
    // The walk is depth-first without recursion, so that a deep tree does not exhaust the stack.
    const directories = [''];
    for (let at = directories.pop(); at !== undefined; at = directories.pop()) {
      for await (const { name, stats } of this.read(at)) {
        const key = at === '' ? name : `${at}/${name}`;
        if (stats.isDirectory()) directories.push(key);
        if (stats.isSymbolicLink()) links++;
        if (!stats.isFile()) continue;
        if (++count > this.context.limits.maxEntries) {
          throw new SourceError('too_many_documents', 'The folder has too many files.');
        }
        yield this.toEntry(key, stats);
      }
    }
    if (links > 0) this.context.warn(`${links} symbolic links are left out.`);
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

  /** Lists the entries of a directory, except for hidden ones. */
  private async *read(at: string) {
    const path = join(this.path, at);
    try {
      // The directory may have become a link that leads out of the folder.
      if ((await realpath(path)) !== path) throw notAllowed();
      for await (const entry of await opendir(path)) {
        this.context.signal.throwIfAborted();
        const { name } = entry;
        if (name.startsWith('.')) continue;
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
      ...findAccess(this.access, key),
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
    if (!allowed.some((root) => root !== undefined && isBelow(real, root))) throw notAllowed();
    const places = await ClosedPlaces.find(closed);
    if (await places.overlap(real)) throw closedPlace();
    return { real, places };
  } catch (error) {
    throw toSourceError(error);
  }
}

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

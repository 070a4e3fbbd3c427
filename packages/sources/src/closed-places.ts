import type { BigIntStats } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/**
 * Places of the machine that no source may read, such as the data of the service. They are compared by
 * device and inode, which links and bind mounts have in common with what they lead to.
 */
export class ClosedPlaces {
  private constructor(
    /** These places, and what is directly in them. */
    private readonly own: ReadonlySet<string>,
    /** These places, and the directories that they are in. */
    private readonly above: ReadonlySet<string>,
  ) {}

  /** Looks at the places as they are now; they need not exist. */
  static async find(paths: readonly string[]): Promise<ClosedPlaces> {
    const own: string[] = [];
    const above: string[] = [];
    for (const path of paths) {
      above.push(...(await idsAbove(path)));
      const names = await readdir(path).catch(() => []);
      for (const one of [path, ...names.map((name) => join(path, name))]) {
        own.push(...(await idAt(one)));
      }
    }
    return new ClosedPlaces(new Set(own), new Set(above));
  }

  /** Whether an entry of a directory is one of the places. */
  has(stats: BigIntStats): boolean {
    return this.own.has(toFileId(stats));
  }

  /** Whether a directory contains one of the places, or is in one. */
  async overlap(path: string): Promise<boolean> {
    const [id = ''] = await idAt(path);
    return this.above.has(id) || (await idsAbove(path)).some((one) => this.own.has(one));
  }
}

/** Of a path and of all directories above it; of those that exist. */
async function idsAbove(path: string): Promise<string[]> {
  const absolute = resolve(path);
  const parent = dirname(absolute);
  const real = await realpath(absolute).catch(() => undefined);
  if (real === undefined) return parent === absolute ? [] : idsAbove(parent);
  const ids: string[] = [];
  for (let at = real; ; at = dirname(at)) {
    ids.push(...(await idAt(at)));
    if (at === dirname(at)) return ids;
  }
}

const idAt = (path: string): Promise<string[]> =>
  stat(path, { bigint: true }).then(
    (stats) => [toFileId(stats)],
    () => [],
  );

const toFileId = ({ dev, ino }: BigIntStats) => `${dev}:${ino}`;

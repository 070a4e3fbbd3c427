import type { BigIntStats } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/**
 * Places of the machine that no source may read, such as the data of the service. They are compared by
 * device and inode, which links and bind mounts share with their targets.
 */
export class ClosedPlaces {
  private constructor(
    /** The ids of these places, and of the entries directly in them. */
    private readonly own: ReadonlySet<string>,
    /** The ids of these places, and of the directories above them. */
    private readonly above: ReadonlySet<string>,
  ) {}

  /** Reads the current state of the places, which need not exist. */
  static async find(paths: readonly string[]): Promise<ClosedPlaces> {
    const own: string[] = [];
    const above: string[] = [];
    for (const path of paths) {
      above.push(...(await readIdsAbove(path)));
      const names = await readdir(path).catch(() => []);
      for (const one of [path, ...names.map((name) => join(path, name))]) {
        own.push(...(await readId(one)));
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
    const [id = ''] = await readId(path);
    return this.above.has(id) || (await readIdsAbove(path)).some((one) => this.own.has(one));
  }
}

/** The ids of a path and of all directories above it that exist. */
async function readIdsAbove(path: string): Promise<string[]> {
  const absolute = resolve(path);
  const parent = dirname(absolute);
  const real = await realpath(absolute).catch(() => undefined);
  if (real === undefined) return parent === absolute ? [] : readIdsAbove(parent);
  const ids: string[] = [];
  for (let at = real; ; at = dirname(at)) {
    ids.push(...(await readId(at)));
    if (at === dirname(at)) return ids;
  }
}

const readId = (path: string): Promise<string[]> =>
  stat(path, { bigint: true }).then(
    (stats) => [toFileId(stats)],
    () => [],
  );

const toFileId = ({ dev, ino }: BigIntStats) => `${dev}:${ino}`;

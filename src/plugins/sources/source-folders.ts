import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Config } from '../../platform/config/config.js';
import {
  type RetentionRound,
  type RetentionTask,
  RunForRetention,
} from '../../platform/jobs/retention.js';
import { Source } from './source.entity.js';

const directoryOf = ({ DATA_DIR }: Config) => join(DATA_DIR, 'sources');

/** What a kind keeps of a source between runs, on this machine. */
export const workFolderOf = (config: Config, name: string) => join(directoryOf(config), name);

/** A run takes six hours at most. */
const ABANDONED_MS = 24 * 60 * 60 * 1000;

/**
 * Makes a folder for one run of a source: another process may still be ending the run before. Those of
 * processes that were killed are removed a day later.
 */
export async function makeRunFolder(workFolder: string): Promise<string> {
  await mkdir(workFolder, { recursive: true });
  for (const name of await readdir(workFolder)) {
    if (!name.startsWith('run-')) continue;
    const path = join(workFolder, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Infinity }));
    if (mtimeMs < Date.now() - ABANDONED_MS) await rm(path, { recursive: true, force: true });
  }
  const path = join(workFolder, `run-${randomUUID()}`);
  await mkdir(path);
  return path;
}

/** Removes the work folders of sources that were deleted. */
@Injectable()
@RunForRetention({})
export class SourceFolders implements RetentionTask {
  private readonly directory: string;

  constructor(
    config: Config,
    @InjectRepository(Source) private readonly sources: Repository<Source>,
  ) {
    this.directory = directoryOf(config);
  }

  async removeEnded({ mayContinue }: RetentionRound): Promise<number> {
    let removed = 0;
    for (const name of await readdir(this.directory).catch(() => [])) {
      if (!(await mayContinue())) break;
      if (await this.sources.existsBy({ id: name })) continue;
      await rm(join(this.directory, name), { recursive: true, force: true });
      removed++;
    }
    return removed;
  }
}

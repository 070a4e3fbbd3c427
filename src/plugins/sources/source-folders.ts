import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Config } from '../../platform/config/config.js';
import { Job, type JobRound } from '../../platform/jobs/job.js';
import { HOUR_MS } from '../../platform/jobs/retention.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { Source } from './source.entity.js';

const findSourcesFolder = ({ DATA_DIR }: Config) => join(DATA_DIR, 'sources');

/** The folder for data that a kind keeps between runs of a source, on this machine. */
export const findWorkFolder = (config: Config, name: string) =>
  join(findSourcesFolder(config), name);

/** Longer than a run, which takes at most six hours. */
const ABANDONED_MS = 24 * 60 * 60 * 1000;

/**
 * Creates a folder for one run of a source, because another process may still be ending the previous run.
 * Folders of killed processes are removed a day later.
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
export class SourceFolders {
  private readonly directory: string;

  constructor(
    config: Config,
    @InjectRepository(Source) private readonly sources: Repository<Source>,
    private readonly metrics: Metrics,
  ) {
    this.directory = findSourcesFolder(config);
  }

  @Job({ every: HOUR_MS })
  async removeDeleted({ mayContinue }: JobRound): Promise<void> {
    for (const name of await readdir(this.directory).catch(() => [])) {
      if (!(await mayContinue())) break;
      if (await this.sources.existsBy({ id: name })) continue;
      await rm(join(this.directory, name), { recursive: true, force: true });
      this.metrics.removed.inc({ name: SourceFolders.name });
    }
  }
}

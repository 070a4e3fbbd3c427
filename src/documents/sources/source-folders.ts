import { readdir, rm } from 'node:fs/promises';
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

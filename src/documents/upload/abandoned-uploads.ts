import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import {
  HOUR_MS,
  type RetentionRound,
  type RetentionTask,
  RunForRetention,
} from '../../platform/jobs/retention.js';

/** Longer than any request: an older file was left by a process that was killed. */
const MAX_AGE_MS = HOUR_MS;

export const uploadDirectory = ({ DATA_DIR }: Config) => join(DATA_DIR, 'uploads');

/** Removes uploaded files that no request uses any longer. */
@Injectable()
@RunForRetention({})
export class AbandonedUploads implements RetentionTask {
  private readonly directory: string;

  constructor(config: Config) {
    this.directory = uploadDirectory(config);
  }

  async removeEnded({ mayContinue }: RetentionRound): Promise<number> {
    let removed = 0;
    for (const name of await readdir(this.directory).catch(() => [])) {
      if (!(await mayContinue())) break;
      const path = join(this.directory, name);
      // Another process may have removed it by now.
      const file = await stat(path).catch(() => undefined);
      if (!file || file.mtimeMs >= Date.now() - MAX_AGE_MS) continue;
      await rm(path, { force: true });
      removed++;
    }
    return removed;
  }
}

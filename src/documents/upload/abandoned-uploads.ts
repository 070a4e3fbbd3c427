import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import { Job, type JobRound } from '../../platform/jobs/job.js';
import { HOUR_MS } from '../../platform/jobs/retention.js';
import { Metrics } from '../../platform/metrics/metrics.js';

/** Longer than any request: an older file was left by a process that was killed. */
const MAX_AGE_MS = HOUR_MS;

export const uploadDirectory = ({ DATA_DIR }: Config) => join(DATA_DIR, 'uploads');

/** Removes uploaded files that no request uses any longer. */
@Injectable()
export class AbandonedUploads {
  private readonly directory: string;

  constructor(
    config: Config,
    private readonly metrics: Metrics,
  ) {
    this.directory = uploadDirectory(config);
  }

  @Job({ every: HOUR_MS })
  async removeAbandoned({ mayContinue }: JobRound): Promise<void> {
    for (const name of await readdir(this.directory).catch(() => [])) {
      if (!(await mayContinue())) break;
      const path = join(this.directory, name);
      // Another process may have removed it by now.
      const file = await stat(path).catch(() => undefined);
      if (!file || file.mtimeMs >= Date.now() - MAX_AGE_MS) continue;
      await rm(path, { force: true });
      this.metrics.removed.inc({ name: AbandonedUploads.name });
    }
  }
}

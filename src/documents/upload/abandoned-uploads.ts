import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import { BackgroundJob } from '../../platform/jobs/background-job.js';

/** Longer than any request: an older file was left by a process that was killed. */
const MAX_AGE_MS = 60 * 60 * 1000;

export const uploadDirectory = ({ dataDir }: Config) => join(dataDir, 'uploads');

/** Removes uploaded files that no request uses any more. */
@Injectable()
export class AbandonedUploads extends BackgroundJob {
  private readonly directory: string;

  constructor(config: Config) {
    super(MAX_AGE_MS);
    this.directory = uploadDirectory(config);
  }

  protected override async run(): Promise<void> {
    for (const name of await readdir(this.directory).catch(() => [])) {
      const path = join(this.directory, name);
      // Another process may have removed it by now.
      const file = await stat(path).catch(() => undefined);
      if (file && file.mtimeMs < Date.now() - MAX_AGE_MS) await rm(path, { force: true });
    }
  }
}

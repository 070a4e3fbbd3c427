import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  CallHandler,
  ExecutionContext,
  Injectable,
  Logger,
  NestInterceptor,
  OnApplicationBootstrap,
  OnModuleDestroy,
} from '@nestjs/common';
import { finalize, type Observable } from 'rxjs';
import { Config } from '../../config/config.js';
import type { DashboardRequest } from '../../dashboard-auth/dashboard-user.js';
import { discardBody } from '../../http/discard-body.js';
import { Problem } from '../../problems/problem.js';
import { receiveUpload } from './receive-upload.js';

/** Longer than any request: older files were left by a process that was killed. */
const ABANDONED_MS = 60 * 60 * 1000;

/**
 * Puts a multipart body, read, where a JSON one would be. The file lies below DATA_DIR until the
 * request has been answered.
 */
@Injectable()
export class UploadInterceptor implements NestInterceptor, OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(UploadInterceptor.name);
  private readonly directory: string;
  private readonly maxBytes: number;
  private readonly maxParallel: number;
  /** Of each user who is uploading. */
  private readonly parallel = new Map<string, number>();
  private timer?: NodeJS.Timeout;

  constructor(config: Config) {
    this.directory = join(config.dataDir, 'uploads');
    this.maxBytes = config.maxUploadBytes;
    this.maxParallel = config.maxParallelUploadsPerUser;
  }

  async onApplicationBootstrap(): Promise<void> {
    this.timer = setInterval(() => void this.removeAbandoned(), ABANDONED_MS);
    await this.removeAbandoned();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<DashboardRequest>();
    if (!request.isMultipart()) return next.handle();
    const leave = this.enter(request);
    const path = join(this.directory, randomUUID());
    const end = () => {
      leave();
      return this.remove(path);
    };
    try {
      await mkdir(this.directory, { recursive: true });
      request.body = await receiveUpload(request, path, this.maxBytes);
    } catch (error) {
      await end();
      throw error;
    }
    return next.handle().pipe(finalize(() => void end()));
  }

  /**
   * Counts an upload of the user; what it returns ends it.
   *
   * @throws Problem `too_many_uploads`
   */
  private enter(request: DashboardRequest): () => void {
    const id = request.dashboardUser?.id ?? '';
    const count = this.parallel.get(id) ?? 0;
    if (count >= this.maxParallel) {
      discardBody(request.raw);
      throw new Problem('too_many_uploads', { headers: { 'retry-after': '1' } });
    }
    this.parallel.set(id, count + 1);
    return () => {
      const left = (this.parallel.get(id) ?? 1) - 1;
      if (left > 0) this.parallel.set(id, left);
      else this.parallel.delete(id);
    };
  }

  private async removeAbandoned(): Promise<void> {
    for (const name of await readdir(this.directory).catch(() => [])) {
      const path = join(this.directory, name);
      // Another process may be done with it by now.
      const file = await stat(path).catch(() => undefined);
      if (file && file.mtimeMs < Date.now() - ABANDONED_MS) await this.remove(path);
    }
  }

  /** What cannot be removed now is found an hour later. */
  private async remove(path: string): Promise<void> {
    await rm(path, { force: true }).catch((error: unknown) => {
      this.logger.warn(error);
    });
  }
}

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
import type { FastifyRequest } from 'fastify';
import { finalize, type Observable } from 'rxjs';
import { Config } from '../../config/config.js';
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
  private timer?: NodeJS.Timeout;

  constructor(config: Config) {
    this.directory = join(config.dataDir, 'uploads');
    this.maxBytes = config.maxUploadBytes;
  }

  async onApplicationBootstrap(): Promise<void> {
    this.timer = setInterval(() => void this.removeAbandoned(), ABANDONED_MS);
    await this.removeAbandoned();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (!request.isMultipart()) return next.handle();
    await mkdir(this.directory, { recursive: true });
    const path = join(this.directory, randomUUID());
    try {
      request.body = await receiveUpload(request, path, this.maxBytes);
    } catch (error) {
      await this.remove(path);
      throw error;
    }
    return next.handle().pipe(finalize(() => void this.remove(path)));
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

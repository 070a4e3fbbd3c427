import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CallHandler, ExecutionContext, Injectable, Logger, NestInterceptor } from '@nestjs/common';
import { finalize, type Observable } from 'rxjs';
import type { ApiKeyRequest } from '../../api-keys/api-key.guard.js';
import { Config } from '../../platform/config/config.js';
import type { DashboardRequest } from '../../knowledge-bases/dashboard-auth/dashboard-user.js';
import { FairShareLookup } from '../../knowledge-bases/fair-share-lookup.js';
import { Problem } from '../../platform/problems/problem.js';
import { uploadDirectory } from './abandoned-uploads.js';
import { receiveUpload } from './receive-upload.js';

type UploadRequest = DashboardRequest & ApiKeyRequest;

/**
 * Reads a multipart body into the request, where a JSON body would be. The file is kept below
 * DATA_DIR until the request has been answered.
 */
@Injectable()
export class UploadInterceptor implements NestInterceptor {
  private readonly logger = new Logger(UploadInterceptor.name);
  private readonly directory: string;
  private readonly maxBytes: number;
  private readonly maxParallel: number;
  /** Running uploads by user; those with an API key count for the creator of the knowledge base. */
  private readonly parallel = new Map<string, number>();

  constructor(
    config: Config,
    private readonly fairShares: FairShareLookup,
  ) {
    this.directory = uploadDirectory(config);
    this.maxBytes = config.MAX_UPLOAD_BYTES;
    this.maxParallel = config.MAX_PARALLEL_UPLOADS_PER_USER;
  }

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<UploadRequest>();
    if (!request.isMultipart()) return next.handle();
    const leave = this.enter(request, await this.findUserId(request));
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

  private async findUserId({ dashboardUser, apiKey }: UploadRequest): Promise<string> {
    if (dashboardUser) return dashboardUser.id;
    return apiKey ? (await this.fairShares.findFairShare(apiKey.kbId)).userId : '';
  }

  /**
   * Counts an upload of the user until the function it returns is called.
   *
   * @throws Problem `too_many_uploads`
   */
  private enter(request: UploadRequest, id: string): () => void {
    const count = this.parallel.get(id) ?? 0;
    if (count >= this.maxParallel) {
      throw new Problem('too_many_uploads', { headers: { 'retry-after': '1' } });
    }
    this.parallel.set(id, count + 1);
    return () => {
      const left = (this.parallel.get(id) ?? 1) - 1;
      if (left > 0) this.parallel.set(id, left);
      else this.parallel.delete(id);
    };
  }

  /** A file that cannot be removed now is removed later by AbandonedUploads. */
  private async remove(path: string): Promise<void> {
    await rm(path, { force: true }).catch((error: unknown) => {
      this.logger.warn(error);
    });
  }
}

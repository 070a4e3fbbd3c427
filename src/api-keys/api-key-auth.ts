import {
  applyDecorators,
  CallHandler,
  ExecutionContext,
  Injectable,
  NestInterceptor,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import { Observable, tap } from 'rxjs';
import { ApiKeyGuard, type ApiKeyRequest } from './api-key.guard.js';
import { clientIp } from './client-ip.js';
import { UsageRecorder } from './usage-recorder.js';

/** Counts a request as a use of its key when it has succeeded. */
@Injectable()
export class ApiKeyUsageInterceptor implements NestInterceptor {
  constructor(private readonly usage: UsageRecorder) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<ApiKeyRequest>();
    const { apiKey } = request;
    return next.handle().pipe(
      tap({
        complete: () => {
          if (apiKey) this.usage.recordUse(apiKey.id, apiKey.verifiedAt, clientIp(request));
        },
      }),
    );
  }
}

/** For controllers whose credential is the API key in the body. */
export const ApiKeyAuth = () =>
  applyDecorators(UseGuards(ApiKeyGuard), UseInterceptors(ApiKeyUsageInterceptor));

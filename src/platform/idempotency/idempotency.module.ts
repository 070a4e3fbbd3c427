import { Global, Module } from '@nestjs/common';
import { IdempotencyCleanup } from './idempotency-cleanup.js';
import { Idempotency } from './idempotency.js';

/** Global, because every feature that creates something uses it. */
@Global()
@Module({ providers: [Idempotency, IdempotencyCleanup], exports: [Idempotency] })
export class IdempotencyModule {}

import { Global, Module } from '@nestjs/common';
import { Idempotency } from './idempotency.js';

/** Global, because every feature that creates something uses it. */
@Global()
@Module({ providers: [Idempotency], exports: [Idempotency] })
export class IdempotencyModule {}

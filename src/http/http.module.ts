import { Global, Module } from '@nestjs/common';
import { ConnectionDrain } from './connection-drain.js';
import { Idempotency } from '../idempotency/idempotency.js';
import { SecurityTxtController } from './security-txt.controller.js';
import { IdempotencyCleanup } from '../idempotency/idempotency-cleanup.js';

/** Global, because every room that creates something uses it. */
@Global()
@Module({
  controllers: [SecurityTxtController],
  providers: [Idempotency, IdempotencyCleanup, ConnectionDrain],
  exports: [Idempotency],
})
export class HttpModule {}

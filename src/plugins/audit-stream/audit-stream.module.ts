import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AnswerNotes } from './answer-notes.js';
import { AuditChain } from './audit-chain.js';
import { AuditNotes } from './audit-notes.js';
import { AuditOutbox } from './audit-outbox.js';
import { AuditStreamJob } from './audit-stream-job.js';
import { AuditStreamReader } from './audit-stream-reader.js';
import { AuditBatch, AuditOutboxEvent } from './audit-stream.entity.js';
import { SignIns } from './sign-ins.js';

@Module({
  imports: [TypeOrmModule.forFeature([AuditOutboxEvent, AuditBatch])],
  providers: [
    AuditOutbox,
    AuditChain,
    AuditStreamReader,
    AuditStreamJob,
    AuditNotes,
    SignIns,
    AnswerNotes,
  ],
})
export class AuditStreamModule {}

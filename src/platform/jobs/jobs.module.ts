import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { JobLock } from './job-lock.js';
import { RetentionJob } from './retention-job.js';

@Global()
@Module({ imports: [DiscoveryModule], providers: [JobLock, RetentionJob], exports: [JobLock] })
export class JobsModule {}

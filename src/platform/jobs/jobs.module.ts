import { Global, Module } from '@nestjs/common';
import { JobLock } from './job-lock.js';

@Global()
@Module({ providers: [JobLock], exports: [JobLock] })
export class JobsModule {}

import { Module } from '@nestjs/common';
import { ReplicaMetrics } from './replica-metrics.js';

@Module({ providers: [ReplicaMetrics] })
export class ReadReplicaModule {}

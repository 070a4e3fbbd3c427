import { Injectable } from '@nestjs/common';
import { Counter, type Registry } from 'prom-client';
import { Reads } from '../../platform/database/reads.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { ReplicaReads } from './replica-reads.js';

/** Counts the reads that the replica may answer. */
@Injectable()
export class ReplicaMetrics {
  constructor({ registry }: Metrics, reads: Reads) {
    if (reads instanceof ReplicaReads) watchReplica(registry, reads);
  }
}

function watchReplica(registry: Registry, { counts }: ReplicaReads): void {
  new Counter({
    name: 'latchkey_replica_reads_total',
    help: 'Reads that the replica may answer, by the server that did and, for the primary, why.',
    labelNames: ['server', 'reason'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [reason, count] of Object.entries(counts)) {
        const labels =
          reason === 'replica' ? { server: reason, reason: '' } : { server: 'primary', reason };
        this.inc(labels, count);
      }
    },
  });
}

import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Gauge } from 'prom-client';
import { Repository } from 'typeorm';
import { QueuedJob } from '../knowledge-bases/queued-job.entity.js';
import { Metrics } from '../platform/metrics/metrics.js';
import { Document } from './document.entity.js';

/** Reports the number of documents waiting to be indexed, and for how long; queried at each scrape. */
@Injectable()
export class QueueMetrics {
  constructor(
    { registry }: Metrics,
    @InjectRepository(Document) private readonly documents: Repository<Document>,
  ) {
    const registers = [registry];
    const age = new Gauge({
      name: 'latchkey_indexing_queue_oldest_seconds',
      help: 'How long the oldest document in the queue has waited; 0 when it is empty.',
      registers,
    });
    new Gauge({
      name: 'latchkey_indexing_queue_documents',
      help: 'Documents that wait to be indexed, or are being indexed.',
      registers,
      collect: async function (this: Gauge) {
        const { count, oldest } = await waiting();
        this.set(count);
        age.set(oldest ? Math.max(0, (Date.now() - oldest.getTime()) / 1000) : 0);
      },
    });
    const waiting = () => this.waiting();
  }

  private async waiting(): Promise<{ count: number; oldest: Date | undefined }> {
    const { manager } = this.documents;
    const count = await manager.countBy(QueuedJob, { queue: 'documents' });
    const first = await this.documents
      .createQueryBuilder('document')
      .select(['document.id', 'document.updatedAt'])
      .innerJoin(QueuedJob, 'job', `job.queue = 'documents' AND job.subject_id = document.id`)
      .where({ state: 'active' })
      .orderBy('document.updatedAt')
      .limit(1)
      .getOne();
    return { count, oldest: first?.updatedAt };
  }
}

import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Gauge } from 'prom-client';
import { Not, Repository } from 'typeorm';
import { Metrics } from '../../platform/metrics/metrics.js';
import { Source } from './source.entity.js';

/** A label for every source would make the metrics of a large service unusable. */
const MAX_LABELS = 50;

/** Reports the lag of the sources that lag behind most; queried at each scrape. */
@Injectable()
export class SourceMetrics {
  constructor({ registry }: Metrics, @InjectRepository(Source) sources: Repository<Source>) {
    new Gauge({
      name: 'latchkey_source_lag_seconds',
      help: `Seconds since a source was last synchronized or was connected: the ${MAX_LABELS} with the largest lag, without paused ones.`,
      labelNames: ['source_id'],
      registers: [registry],
      collect: async function (this: Gauge) {
        this.reset();
        const lagging = await sources
          .createQueryBuilder('source')
          .select(['source.id', 'source.createdAt', 'source.lastSyncedAt'])
          .where({ state: Not('paused') })
          .orderBy('COALESCE(source.last_synced_at, source.created_at)')
          .limit(MAX_LABELS)
          .getMany();
        for (const { id, createdAt, lastSyncedAt } of lagging) {
          const lag = Date.now() - (lastSyncedAt ?? createdAt).getTime();
          this.set({ source_id: id }, Math.max(0, lag / 1000));
        }
      },
    });
  }
}

import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { Metrics } from '../metrics/metrics.js';

/** Counts what was removed because its time was over. */
@Injectable()
export class Removed {
  private readonly counter: Counter<'name'>;

  constructor({ registry }: Metrics) {
    this.counter = new Counter({
      name: 'latchkey_retention_removed_total',
      help: 'Rows and files removed because the time they are kept for was over, by table or task.',
      labelNames: ['name'],
      registers: [registry],
    });
  }

  /** @param name of the table, or of the class that removes it */
  count(name: string, removed: number): void {
    this.counter.inc({ name }, removed);
  }
}

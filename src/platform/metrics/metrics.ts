import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';
import { Config } from '../config/config.js';
import { listFailures } from '@latchkey/text/failures';

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** The metrics of the service; features add their own to the registry. */
@Injectable()
export class Metrics {
  readonly registry = new Registry();

  readonly requests = new Histogram({
    name: 'latchkey_http_request_duration_seconds',
    help: 'Answered requests by route, status and, where refused, the code of the problem.',
    labelNames: ['method', 'route', 'status', 'code'],
    buckets: SECONDS,
    registers: [this.registry],
  });

  readonly searches = new Histogram({
    name: 'latchkey_search_duration_seconds',
    help: 'Searches of a knowledge base.',
    buckets: SECONDS,
    registers: [this.registry],
  });

  readonly models = new Histogram({
    name: 'latchkey_model_duration_seconds',
    help: 'Answers written by a model, by how they ended.',
    labelNames: ['status'],
    buckets: SECONDS,
    registers: [this.registry],
  });

  readonly removed = new Counter({
    name: 'latchkey_retention_removed_total',
    help: 'Rows and files removed because the time they are kept for was over, by table or task.',
    labelNames: ['name'],
    registers: [this.registry],
  });

  readonly modelFallbacks = new Counter({
    name: 'latchkey_model_fallbacks_total',
    help: 'Answers that were quoted because the model failed.',
    registers: [this.registry],
  });

  readonly reranks = new Histogram({
    name: 'latchkey_rerank_duration_seconds',
    help: 'Requests to the reranker, by how they ended.',
    labelNames: ['status'],
    buckets: SECONDS,
    registers: [this.registry],
  });

  readonly rerankFallbacks = new Counter({
    name: 'latchkey_rerank_fallbacks_total',
    help: 'Searches whose passages stayed in the order of the search because the reranker failed.',
    registers: [this.registry],
  });

  constructor({ METRICS_PORT }: Config) {
    new Counter({
      name: 'latchkey_text_failures_total',
      help: 'Words, pages and passages left as they were, or out, because a stemmer, segmenter, detector or reader failed.',
      labelNames: ['kind', 'language'],
      registers: [this.registry],
      collect() {
        this.reset();
        for (const { count, ...labels } of listFailures()) this.inc(labels, count);
      },
    });
    // Collected only if metrics are served, since they monitor the event loop constantly.
    if (METRICS_PORT !== undefined) collectDefaultMetrics({ register: this.registry });
  }
}

import { Inject, Injectable, OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import { type SearchEngineState, SearchStatus } from '../../platform/health/search-status.js';
import { OpenSearchIndex } from './opensearch-index.js';
import { isSearchUnavailable } from '../../documents/search/engine/search-unavailable-error.js';
import { UnavailableLog } from '../../documents/search/engine/unavailable-log.js';

/** The state is cached, since the readiness endpoint is public and polled often. */
const KEPT_MS = 1000;
const TIMEOUT_MS = 1000;

/**
 * Creates the index of the search engine before jobs write to it, reports its state to the readiness
 * endpoint, and closes it at the end.
 */
@Injectable()
export class SearchEngineWatch implements OnModuleInit, OnApplicationShutdown {
  private readonly log = new UnavailableLog();
  private known: { readonly at: number; readonly state: Promise<SearchEngineState> } | undefined;
  private isPrepared = false;

  constructor(
    @Inject(OpenSearchIndex) private readonly engine: OpenSearchIndex | undefined,
    private readonly status: SearchStatus,
  ) {}

  async onModuleInit(): Promise<void> {
    if (!this.engine) return;
    this.status.findEngineState = () => this.state();
    await this.state();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.engine?.close();
  }

  private state(): Promise<SearchEngineState> {
    const now = performance.now();
    if (!this.known || now - this.known.at > KEPT_MS) this.known = { at: now, state: this.ask() };
    return this.known.state;
  }

  private async ask(): Promise<SearchEngineState> {
    if (!this.engine) return 'down';
    try {
      if (!this.isPrepared) await this.engine.prepare(TIMEOUT_MS);
      this.isPrepared = true;
      return await this.engine.state(TIMEOUT_MS);
    } catch (error) {
      if (!isSearchUnavailable(error)) throw error;
      this.log.note(error);
      return 'down';
    }
  }
}

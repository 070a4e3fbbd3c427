import { Injectable } from '@nestjs/common';

export type SearchEngineState = 'up' | 'degraded' | 'down';

interface EmbeddingModel {
  readonly description: string;
  /** The progress of its installation; undefined if none is running. */
  readonly installing?: string | undefined;
  /** The name stored with the vectors in use; undefined while there are none. */
  readonly model: string | undefined;
}

/** The state of search, which `/health/ready` shows, and the model by which vectors are counted. */
@Injectable()
export class SearchStatus {
  /** Set by SearchModule; null if there is none. */
  embeddings: EmbeddingModel | null = null;
  /** Set by the plugin that has a search engine; undefined if there is none. */
  findEngineState: (() => Promise<SearchEngineState>) | undefined;
}

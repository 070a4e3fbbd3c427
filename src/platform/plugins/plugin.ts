import type { Type } from '@nestjs/common';
import type Database from 'better-sqlite3';
import type { DataSource } from 'typeorm';
import type { Config } from '../config/config.js';
import type { Entities } from '../database/data-source-options.js';
import type { Reads } from '../database/reads.js';
import type { Webhooks } from '../openapi/open-api.js';
import type { Check } from './finding.js';

/**
 * An optional part of an installation: a folder in `src/plugins`, listed in `src/plugins.ts`. The core
 * and packages never import one.
 */
export interface Plugin {
  /** Its Nest module: controllers, providers and imports. */
  readonly module: Type;
  /** The names of the plugins that it imports; they come before it in `src/plugins.ts`. */
  readonly needs?: readonly string[];
  /**
   * Its entity classes. Their migrations always run, so that the tables exist if the plugin is enabled
   * again.
   */
  readonly entities?: Entities;
  /** Its routes outside `/api/v1`, in the form of Nest's `setGlobalPrefix`. */
  readonly rootPaths?: readonly string[];
  readonly searchEngine?: SearchEnginePlugin;
  /** @returns what reads in place of the primary; undefined unless it is configured */
  readonly createReads?: (
    config: Config,
    entities: Entities,
    primary: DataSource,
  ) => Reads | undefined;
  /** Describes its webhooks for the OpenAPI document. */
  readonly describeWebhooks?: () => Webhooks;
  /** Its checks for `npm run doctor`. */
  readonly doctorChecks?: readonly Check[];
  /**
   * Adapts its tables in a database that was restored from a backup and is not migrated yet: tables that are
   * newer than the backup are missing.
   */
  readonly afterRestore?: (database: Database.Database) => void;
  /** @throws ConfigurationError if it cannot run with this configuration */
  readonly requireConfig?: (config: Config) => Promise<void>;
}

/** A plugin that runs in this process. */
export interface LoadedPlugin extends Plugin {
  readonly name: string;
}

/** How a plugin creates its search engine, which implements SearchEngine of `documents/search/engine`. */
export interface SearchEnginePlugin {
  /**
   * @param urls the value of SEARCH_URL
   * @param pause shared memory of the threads
   */
  readonly create: (urls: readonly string[], pause: SharedArrayBuffer) => object;
  /** The address of the module that exports `create` as `createSearchEngine`, which each thread loads. */
  readonly module: string;
}

/** The plugins that run in this process. */
export class RunningPlugins {
  /** In alphabetical order. */
  readonly names: readonly string[];
  readonly searchEngine: SearchEnginePlugin | undefined;

  constructor(plugins: readonly LoadedPlugin[]) {
    this.names = plugins.map(({ name }) => name).sort();
    this.searchEngine = plugins.find(({ searchEngine }) => searchEngine)?.searchEngine;
  }
}

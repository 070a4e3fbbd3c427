import type { Type } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config/config.js';
import type { Entities } from '../database/data-source-options.js';
import type { Webhooks } from '../openapi/open-api.js';
import type { Check } from './finding.js';

/** Authenticates requests before their body is read. */
export interface HeaderAuthenticator {
  /** Leaves requests to routes that are not its own alone. */
  authenticateByHeader(request: FastifyRequest, reply: FastifyReply): Promise<void>;
}

/**
 * A part that an installation can do without: a folder in `src/plugins`, which `src/plugins.ts` names.
 * Rooms and packages never import one.
 */
export interface Plugin {
  /** Its Nest module: controllers, providers, and the rooms that it imports. */
  readonly module: Type;
  /** Names of the plugins that it imports; they stand above it in `src/plugins.ts`. */
  readonly needs?: readonly string[];
  /** The classes of its tables. Their migrations always run, so that the tables are there when it returns. */
  readonly entities?: Entities;
  /** Its routes outside `/api/v1`, in the form of Nest's `setGlobalPrefix`. */
  readonly rootPaths?: readonly string[];
  /** A provider of its module. */
  readonly headerAuthenticator?: Type<HeaderAuthenticator>;
  /** What it sends, for the OpenAPI document. */
  readonly describeWebhooks?: () => Webhooks;
  /** What `npm run doctor` looks at. */
  readonly doctorChecks?: readonly Check[];
  /** @throws ConfigurationError when it cannot run with this configuration */
  readonly requireConfig?: (config: Config) => Promise<void>;
}

/** A plugin that runs in this process. */
export interface LoadedPlugin extends Plugin {
  readonly name: string;
}

/** The names of the plugins that run in this process, in alphabetical order. */
export class RunningPlugins {
  readonly names: readonly string[];

  constructor(plugins: readonly LoadedPlugin[]) {
    this.names = plugins.map(({ name }) => name).sort();
  }
}

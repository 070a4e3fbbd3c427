import { PATH_METADATA, METHOD_METADATA, MODULE_METADATA } from '@nestjs/common/constants.js';
import { RequestMethod, type Type } from '@nestjs/common';
import { getMetadataArgsStorage } from 'typeorm';
import { ConfigurationError } from '../config/configuration-error.js';
import type { Entities } from '../database/data-source-options.js';
import type { LoadedPlugin, Plugin } from './plugin.js';

/**
 * Rejects plugins that cannot run together.
 *
 * @param plugins the plugins to run, in loading order
 * @param ofCore the entities of the core; the router rejects a route of the core when it is claimed
 * @throws ConfigurationError if a plugin lacks one that it needs, two claim the same route or table, or one
 *   claims a table of the core
 */
export function requireCompatiblePlugins(plugins: readonly LoadedPlugin[], ofCore: Entities): void {
  for (const [index, { name, needs = [] }] of plugins.entries()) {
    const before = plugins.slice(0, index);
    for (const needed of needs) {
      if (before.some((plugin) => plugin.name === needed)) continue;
      throw new ConfigurationError(
        `The plugin ${name} needs the plugin ${needed}, which PLUGINS leaves out`,
      );
    }
  }
  requireUnique(plugins, 'route', listRoutes);
  requireUnique(plugins, 'table', ({ entities = [] }) => listTables(entities), listTables(ofCore));
}

function requireUnique(
  plugins: readonly LoadedPlugin[],
  kind: string,
  list: (plugin: Plugin) => string[],
  ofCore: readonly string[] = [],
): void {
  const owners = new Map(ofCore.map((claimed) => [claimed, 'the core']));
  for (const plugin of plugins) {
    for (const claimed of list(plugin)) {
      const owner = owners.get(claimed);
      if (owner !== undefined) {
        throw new ConfigurationError(
          `Both ${owner} and the plugin ${plugin.name} claim the ${kind} ${claimed}`,
        );
      }
      owners.set(claimed, `the plugin ${plugin.name}`);
    }
  }
}

/** Lists the routes of a plugin, such as `GET kbs/:kb_id/sources`. */
function listRoutes({ module }: Plugin): string[] {
  const controllers = (Reflect.getMetadata(MODULE_METADATA.CONTROLLERS, module) ?? []) as Type[];
  return controllers.flatMap((controller) => {
    const base = toPaths(Reflect.getMetadata(PATH_METADATA, controller));
    const prototype = controller.prototype as Record<string, unknown>;
    return Object.getOwnPropertyNames(prototype).flatMap((name) => {
      const handler = Object.getOwnPropertyDescriptor(prototype, name)?.value as unknown;
      if (typeof handler !== 'function' || !Reflect.hasMetadata(METHOD_METADATA, handler))
        return [];
      const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod;
      const paths = toPaths(Reflect.getMetadata(PATH_METADATA, handler));
      return base.flatMap((start) =>
        paths.map((path) => `${RequestMethod[method]} ${joinPaths(start, path)}`),
      );
    });
  });
}

const toPaths = (path: unknown): string[] =>
  (Array.isArray(path) ? path : [path]).map((one) => (typeof one === 'string' ? one : ''));

/** Joins paths. Parameters lose their names, since the router compares them by position. */
const joinPaths = (...parts: string[]): string =>
  parts
    .flatMap((part) => part.split('/'))
    .filter((part) => part !== '')
    .map((part) => (part.startsWith(':') ? ':' : part))
    .join('/');

const listTables = (entities: Entities): string[] =>
  getMetadataArgsStorage()
    .tables.filter(({ target }) => entities.some((entity) => entity === target))
    .map(({ name }) => String(name));

import type { FastifyInstance, RouteOptions } from 'fastify';
import { Problem } from '../problems/problem.js';

interface Route {
  readonly url: string;
  readonly pattern: RegExp;
  /** The first segment of the path. */
  readonly segment: string;
  readonly methods: string[];
  readonly config: RouteOptions['config'];
}

/** Finds routes by path alone, for preflights and unsupported methods. */
export class RouteTable {
  private readonly routes: Route[] = [];

  /** @param fastify must not have any routes yet */
  constructor(fastify: FastifyInstance) {
    fastify.addHook('onRoute', ({ url, method, config }) => {
      if (url.includes('*')) return;
      const pattern = new RegExp(`^${url.replace(/:[^/]+/g, '[^/]+')}$`);
      const methods = [method].flat();
      this.routes.push({ url, pattern, segment: getFirstSegment(url), methods, config });
    });
  }

  match(url: string): Route[] {
    const [path = ''] = url.split('?', 1);
    return this.routes.filter(({ pattern }) => pattern.test(path));
  }

  /** Returns the routes that begin with the same segment. */
  findSiblings(url: string): Route[] {
    return this.routes.filter(({ segment }) => segment === getFirstSegment(url));
  }

  /** Returns a 405 if the path exists with other methods, otherwise a 404. */
  findProblem(url: string): Problem {
    const allowed = new Set(this.match(url).flatMap(({ methods }) => methods));
    return allowed.size === 0
      ? this.unknownPath(url)
      : new Problem('method_not_allowed', { headers: { allow: [...allowed].sort().join(', ') } });
  }

  /** Returns a 404; for paths of a foreign protocol, it lists those that exist. */
  unknownPath(url: string): Problem {
    const paths = this.findSiblings(url)
      .filter(({ config }) => config && 'formatProblem' in config)
      .flatMap(({ url: path, methods }) =>
        methods.filter((method) => method !== 'HEAD').map((method) => `${method} ${path}`),
      );
    return paths.length === 0
      ? new Problem('not_found')
      : new Problem('not_found', {
          detail: 'There is no such path.',
          remedy: `The paths are: ${paths.join(', ')}.`,
        });
  }
}

const getFirstSegment = (url: string): string => url.split(/[/?]/, 2)[1] ?? '';

import { BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { Config } from '../config/config.js';

/** Lets requests that are under way finish at a stop, but no longer than the grace period. */
@Injectable()
export class ConnectionDrain implements BeforeApplicationShutdown {
  constructor(
    @Inject(HttpAdapterHost)
    private readonly adapterHost: { readonly httpAdapter: FastifyAdapter | null },
    private readonly config: Config,
  ) {}

  beforeApplicationShutdown(): void {
    // Once a server closes it no longer enforces its timeouts: a client that never finishes its
    // request would keep the process forever.
    // A command has no server.
    const server = this.adapterHost.httpAdapter?.getInstance().server;
    if (!server) return;
    setTimeout(() => {
      server.closeAllConnections();
    }, this.config.shutdownGraceMs).unref();
  }
}

/**
 * Once a server closes, a connection ends with the answer under way on it: it would otherwise be
 * kept for a next request until the grace period is over, and the process with it.
 */
export function closeAnsweredConnections(fastify: FastifyInstance): void {
  fastify.addHook('onResponse', (request, _reply, done) => {
    if (!fastify.server.listening) request.raw.socket.end();
    done();
  });
}

import { BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { Config } from '../config/config.js';

/**
 * At shutdown, gives requests the grace period to finish, then closes all connections and accepts no
 * others.
 */
@Injectable()
export class ConnectionDrain implements BeforeApplicationShutdown {
  constructor(
    @Inject(HttpAdapterHost)
    private readonly adapterHost: { readonly httpAdapter: FastifyAdapter | null },
    private readonly config: Config,
  ) {}

  beforeApplicationShutdown(): void {
    // A server that is closing no longer enforces its timeouts: a client that never finishes its
    // request would keep the process running.
    const server = this.adapterHost.httpAdapter?.getInstance().server;
    if (!server) return; // A command has none.
    setTimeout(() => {
      server.closeAllConnections();
      // If other parts take longer to stop, the server is still listening.
      server.on('connection', (socket) => socket.destroy());
    }, this.config.SHUTDOWN_GRACE_SECONDS * 1000).unref();
  }
}

/**
 * While the server is closing, ends each connection after its response. Otherwise it would stay open
 * for another request and keep the process running until the grace period is over.
 */
export function closeAnsweredConnections(fastify: FastifyInstance): void {
  fastify.addHook('onResponse', (request, _reply, done) => {
    if (!fastify.server.listening) request.raw.socket.end();
    done();
  });
}

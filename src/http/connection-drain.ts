import { BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyAdapter } from '@nestjs/platform-fastify';
import { Config } from '../config/config.js';

/** Lets requests that are under way finish at a stop, but no longer than the grace period. */
@Injectable()
export class ConnectionDrain implements BeforeApplicationShutdown {
  constructor(
    private readonly adapterHost: HttpAdapterHost<FastifyAdapter>,
    private readonly config: Config,
  ) {}

  beforeApplicationShutdown(): void {
    // Once a server closes it no longer enforces its timeouts: a client that never finishes its
    // request would keep the process forever.
    const { server } = this.adapterHost.httpAdapter.getInstance();
    setTimeout(() => {
      server.closeAllConnections();
    }, this.config.shutdownGraceMs).unref();
  }
}

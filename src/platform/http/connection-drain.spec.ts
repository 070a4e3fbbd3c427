import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { FastifyAdapter } from '@nestjs/platform-fastify';
import type { Config } from '../config/config.js';
import { ConnectionDrain } from './connection-drain.js';

describe(ConnectionDrain.name, () => {
  const server = createServer();

  beforeEach(() => once(server.listen(0, '127.0.0.1'), 'listening'));
  afterEach(() => {
    server.close();
  });

  /** Resolves when the server ends a connection on which nothing is sent. */
  const untilClosed = async () => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on(
      'error',
      () => undefined,
    );
    await once(socket.resume(), 'close');
  };

  it('closes connections after the grace period, also those that are made later', async () => {
    const httpAdapter = { getInstance: () => ({ server }) } as unknown as FastifyAdapter;
    const config = { SHUTDOWN_GRACE_SECONDS: 0.05 } as Config;
    new ConnectionDrain({ httpAdapter }, config).beforeApplicationShutdown();
    // What stops before the server may take longer, and the server listens until then.
    await untilClosed();
    await untilClosed();
    expect(server.listening).toBe(true);
  });
});

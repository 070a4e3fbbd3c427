import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Config } from '../config/config.js';
import { ConnectionDrain } from './connection-drain.js';

describe(ConnectionDrain.name, () => {
  let httpAdapter: FastifyAdapter;

  beforeEach(async () => {
    httpAdapter = new FastifyAdapter();
    await httpAdapter.getInstance().listen({ port: 0, host: '127.0.0.1' });
  });
  afterEach(() => httpAdapter.close());

  /** Resolves when the server ends a connection on which nothing is sent. */
  const untilClosed = async () => {
    const { port } = httpAdapter.getInstance().server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    await once(socket.resume(), 'close');
  };

  it('closes connections after the grace period, also those that are made later', async () => {
    const config = Config.fromEnvironment({ SHUTDOWN_GRACE_SECONDS: '0' });
    new ConnectionDrain({ httpAdapter }, config).beforeApplicationShutdown();
    // What stops before the server may take longer, and the server listens until then.
    await untilClosed();
    await untilClosed();
    expect(httpAdapter.getInstance().server.listening).toBe(true);
  });
});

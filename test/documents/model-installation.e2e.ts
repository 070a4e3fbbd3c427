import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, Service } from '../support/service.js';

describe('while a model is installed', () => {
  let hub: Server;
  let service: Service;

  beforeAll(async () => {
    // A hub that begins every file and never ends it.
    hub = createServer((_, response) => response.writeHead(200).write('{')).listen(0, '127.0.0.1');
    await once(hub, 'listening');
    const { port } = hub.address() as AddressInfo;
    service = await Service.start({
      ...{ EMBEDDINGS: 'local', EMBEDDINGS_MODEL_PATH: '' },
      HF_ENDPOINT: `http://127.0.0.1:${port}`,
    });
  });
  afterAll(async () => {
    expect(await service.stop()).toBe(0);
    hub.closeAllConnections();
    hub.close();
  });

  it('readiness says so, and search goes by words', async () => {
    let ready: unknown;
    await eventually(async () => {
      ready = await (await fetch(`${service.url}/health/ready`)).json();
      return 'installing' in (ready as object);
    });
    expect(ready).toMatchObject({ meaning: 'off', installing: expect.any(String) });
  });
});

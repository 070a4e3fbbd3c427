import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { tool } from '../../../test/support/requirement.js';
import { probeAgain, withoutNetwork } from './without-network.js';

const isolation = tool(
  'networks of their own for processes',
  spawnSync('unshare', ['-rn', 'true']).status === 0,
);

describe(withoutNetwork.name, () => {
  isolation.it('starts a process that talks to its parent, and to nobody else', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const directory = mkdtempSync(join(tmpdir(), 'latchkey-network-'));
    const script = join(directory, 'connect.mjs');
    writeFileSync(
      script,
      `import { connect } from 'node:net';
       connect(${port}, '127.0.0.1')
         .on('connect', () => process.send('connected'))
         .on('error', ({ code }) => process.send(code));`,
    );
    const said = async (options: object) => {
      const child = fork(script, { env: {}, ...options });
      const [message] = (await once(child, 'message')) as [string];
      child.kill('SIGKILL');
      return message;
    };
    try {
      expect(await said({ execArgv: [] })).toBe('connected');
      expect(await said(await withoutNetwork([]))).toBe('ENETUNREACH');
    } finally {
      server.close();
      rmSync(directory, { recursive: true });
    }
  });

  it('asks the system again only after a start that failed', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'latchkey-network-'));
    const unshare = join(directory, 'unshare');
    const answer = (status: number) => {
      writeFileSync(unshare, `#!/bin/sh\nexit ${status}\n`, { mode: 0o700 });
    };
    try {
      probeAgain();
      answer(0);
      expect((await withoutNetwork([], unshare)).execPath).toBe(unshare);
      answer(1);
      expect((await withoutNetwork([], unshare)).execPath).toBe(unshare);
      probeAgain();
      expect(await withoutNetwork(['--a'], unshare)).toEqual({ execArgv: ['--a'] });
    } finally {
      rmSync(directory, { recursive: true });
      probeAgain();
    }
  });

  it('holds up nothing while the system does not answer, and opens no network then', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'latchkey-network-'));
    const unshare = join(directory, 'unshare');
    writeFileSync(unshare, '#!/bin/sh\nexec sleep 600\n', { mode: 0o700 });
    try {
      probeAgain();
      let isWaiting = true;
      const options = withoutNetwork([], unshare, 200).finally(() => (isWaiting = false));
      await setImmediate();
      expect(isWaiting).toBe(true);
      expect((await options).execPath).toBe(unshare);
      // It is asked again the next time.
      writeFileSync(unshare, '#!/bin/sh\nexit 1\n', { mode: 0o700 });
      expect(await withoutNetwork(['--a'], unshare)).toEqual({ execArgv: ['--a'] });
    } finally {
      rmSync(directory, { recursive: true });
      probeAgain();
    }
  });
});

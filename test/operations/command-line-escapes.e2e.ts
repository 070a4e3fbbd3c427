import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '../support/client.js';
import { newUserId, sharedService, type SharedService } from '../support/shared-service.js';

const CLEAR_SCREEN = '\u001b[2J\u009b1;1H';
const SHOWN = '\\x1b[2J\\x9b1;1H';
// eslint-disable-next-line no-control-regex
const OBEYED = /[\0-\x09\x0b-\x1f\x7f-\x9f\u202e]/;

describe('what the command line prints', () => {
  const ALICE = newUserId('alice');
  let service: SharedService;
  let alice: Client;
  let kbId: string;

  beforeAll(async () => {
    service = await sharedService();
    alice = new Client(service, ALICE);
    kbId = (await alice.createKnowledgeBase(`Shop${CLEAR_SCREEN}\u202etxt`)).id;
  });

  const latchkey = (environment: NodeJS.ProcessEnv, ...args: string[]) =>
    promisify(execFile)(process.execPath, ['packages/cli/dist/latchkey.js', ...args], {
      env: {
        ...{ PATH: process.env['PATH'], LATCHKEY_URL: service.url, LATCHKEY_USER: ALICE },
        ...environment,
      },
    });

  it('shows control characters in names as escapes, and leaves them to --json', async () => {
    const { stdout } = await latchkey({}, 'kb', 'list');
    expect(stdout).not.toMatch(OBEYED);
    expect(stdout).toContain(`Shop${SHOWN}\\u202etxt`);
    const [kb] = JSON.parse((await latchkey({}, '--json', 'kb', 'list')).stdout) as object[];
    expect(kb).toMatchObject({ id: kbId, name: `Shop${CLEAR_SCREEN}\u202etxt` });
  });

  it('keeps a name on its line', async () => {
    const name = `a\nkey_00000000000000000000000000${CLEAR_SCREEN}`;
    const issued = await latchkey(
      {},
      ...['key', 'issue', kbId, '--name', name, '--environment', 'live'],
    );
    expect(issued.stderr.split('\n')).toHaveLength(2);
    expect(issued.stderr).not.toMatch(OBEYED);
    const { stdout } = await latchkey({}, 'key', 'list', kbId);
    expect(stdout.split('\n')).toHaveLength(3);
    expect(stdout).not.toMatch(OBEYED);
  });

  it('shows them so in answers and in the titles of sources, whose lines stay lines', async () => {
    const text = `The shop opens at nine${CLEAR_SCREEN} every day.`;
    await alice.addDocument(kbId, { title: `Hours${CLEAR_SCREEN}`, text });
    const { api_key } = await alice.createApiKey(kbId);
    const { stdout } = await latchkey(
      { LATCHKEY_API_KEY: api_key },
      ...['ask', 'When does the shop open?'],
    );
    expect(stdout).not.toMatch(OBEYED);
    expect(stdout).toContain(`Hours${SHOWN}`);
  });
});

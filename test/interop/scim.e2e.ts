import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from '@jest/globals';
import { Client } from '../support/client.js';
import { registry } from '../support/requirement.js';
import { newUserId, sharedService } from '../support/shared-service.js';

const folder = mkdtempSync(join(process.env['LATCHKEY_TEST_DIR'] ?? tmpdir(), 'scim-'));
const python = join(folder, 'venv/bin/python');
const hasPython = spawnSync('python3', ['-m', 'venv', join(folder, 'venv')]).status === 0;
const packages = ['scim2-tester==0.5.2', 'scim2-client[httpx2]==0.13.2', 'scim2-models==0.12.3'];
const isReached =
  hasPython && spawnSync(python, ['-m', 'pip', 'install', '--quiet', ...packages]).status === 0;

/** Prints each check: what it is about, and what is wrong where it fails. */
const SCRIPT = `
import json, sys
from httpx2 import Client
from scim2_client.engines.httpx2 import SyncSCIMClient
from scim2_tester import check_server
headers = {"Authorization": "Bearer " + sys.argv[2]}
scim = SyncSCIMClient(Client(base_url=sys.argv[1], headers=headers))
scim.discover()
for check in check_server(scim):
    print(json.dumps([check.status.name, check.title, check.resource_type, str(check.reason)]))
`;

/** Checks that fail, each for a reason. */
const KNOWN = new Set([
  // The tester invents members, whom the directory does not have.
  'object_replacement Group',
  ...['check_add_attribute Group', 'check_replace_attribute Group', 'check_remove_attribute Group'],
]);
const EXTENSION = 'urn:latchkey:params:scim:schemas:extension:api-keys:2.0:User';
/**
 * The one extension is read-only, which the tester changes all the same; and `active` that is removed is
 * false, so that nobody stays in by it.
 */
const isKnown = (reason: string) => reason.includes(EXTENSION) || reason.includes("'active'");

registry('Python’s registry', isReached).it(
  'passes the checks of scim2-tester but those that are known',
  async () => {
    const service = await sharedService();
    const alice = new Client(service, newUserId('alice'));
    const { id: kbId } = await alice.createKnowledgeBase();
    const { id } = await alice.createServiceAccount(kbId, 'owner');
    const { api_key: secret } = await alice.createManagementKey(id, ['members:write']);
    const script = join(folder, 'check.py');
    writeFileSync(script, SCRIPT);
    const args = [script, `${service.url}/scim/v2`, secret];
    const { stdout } = await promisify(execFile)(python, args, { maxBuffer: 16 * 1024 * 1024 });
    const checks = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as [string, string, string, string]);
    expect(checks.length).toBeGreaterThan(90);
    const failed = checks.filter(([status, title, type, reason]) => {
      if (status === 'SUCCESS' || status === 'SKIPPED') return false;
      if (title.startsWith('check_') && type === 'User') return !isKnown(reason);
      return !KNOWN.has(`${title} ${type}`);
    });
    expect(failed).toEqual([]);
  },
);

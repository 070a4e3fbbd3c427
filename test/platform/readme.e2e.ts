import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedService, type SharedService } from '../support/shared-service.js';

const README = readFileSync('README.md', 'utf8');
const WALK = readFileSync('docs/walk.md', 'utf8');
const BASE_LINE = /^BASE=.*$/gm;
const KB_LINE = /^KB=kb_.*$/gm;

/** The shell blocks of a text. */
function blocks(text: string): string[] {
  return Array.from(text.matchAll(/^```sh\n(.*?)^```$/gms), ([, block]) => String(block));
}

/** The regular expression that docs/api-keys.md gives to secret scanners. */
function scannerPattern(): RegExp {
  const rules = readFileSync('docs/api-keys.md', 'utf8');
  const [pattern = '(?!)'] = /^rag_\(.*$/m.exec(rules) ?? [];
  return new RegExp(pattern, 'g');
}

async function run(script: string): Promise<string> {
  const { stdout } = await promisify(execFile)('bash', ['-eu', '-c', script]);
  return stdout;
}

describe('the README', () => {
  it('gets an answer by three requests', async () => {
    const service = await sharedService();
    const section = README.split(/^(?=## )/m).find((text) =>
      text.startsWith('## Three requests\n'),
    );
    const [variables = '', ...requests] = blocks(section ?? '');
    expect(requests.join('').match(/curl /g)).toHaveLength(3);
    expect(variables.match(BASE_LINE)).toHaveLength(1);
    expect(variables.match(KB_LINE)).toHaveLength(1);
    const create = blocks(WALK)
      .filter((block) => !block.includes('DOCUMENT'))
      .slice(0, 2);
    const [document = '', ...rest] = requests;
    const wait = `until curl -sS "$BASE/kbs/$KB/documents" -H "$USER_HEADER" |
      grep -q '"status":"ready"'; do sleep 0.1; done`;
    const script = [...create, document, wait, ...rest].join('\n');
    const output = await run(script.replace(BASE_LINE, `BASE=${service.url}/api/v1`));
    expect(output.trimEnd().split('\n').at(-1)).toContain(
      '"answer":"30 days\\nCustomers may return any order within 30 days of delivery. [1]"',
    );
  });
});

describe('docs/walk.md', () => {
  let service: SharedService;
  let output: string;

  beforeAll(async () => {
    service = await sharedService();
    const walk = blocks(WALK).join('\n');
    expect(walk.match(BASE_LINE)).toHaveLength(1);
    output = await run(walk.replace(BASE_LINE, `BASE=${service.url}/api/v1`));
  });

  it('shows the new key once, in a form that its secret scanner finds', () => {
    expect(output.match(scannerPattern())).toHaveLength(1);
  });

  it('gets an answer that quotes the document', () => {
    expect(output).toContain(
      '"answer":"30 days\\nCustomers may return any order within 30 days of delivery. [1]"',
    );
    expect(output).toContain('"document_title":"Returns policy"');
  });

  it('lists the key by its prefix, used and active', () => {
    const list = output.split('\n').find((line) => line.startsWith('{"data":'));
    expect(JSON.parse(String(list))).toMatchObject({
      data: [
        {
          prefix: expect.stringMatching(/^rag_live_\w{10}$/),
          active: true,
          last_used_at: expect.any(String),
        },
      ],
      total: 1,
    });
  });

  it('is refused after the revocation', () => {
    const [revoked, refused] = output.trimEnd().split('\n').slice(-2);
    expect(revoked).toBe('{"success":true}');
    expect(JSON.parse(String(refused))).toMatchObject({ status: 401, code: 'api_key_revoked' });
  });
});

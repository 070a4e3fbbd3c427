import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedService, type SharedService } from '../support/shared-service.js';

const README = readFileSync('README.md', 'utf8');
const WALK = '## A walk with curl\n';
const BASE_LINE = /^BASE=.*$/gm;

/** The shell blocks of the walk, as one script. */
function walk(): string {
  const [, ...sections] = README.split(/^(?=## )/m);
  const section = sections.find((text) => text.startsWith(WALK)) ?? '';
  return Array.from(section.matchAll(/^```sh\n(.*?)^```$/gms), ([, block]) => block).join('\n');
}

/** The regular expression that the README gives to secret scanners. */
function scannerPattern(): RegExp {
  const [pattern = '(?!)'] = /^\\brag_.*$/m.exec(README) ?? [];
  return new RegExp(pattern, 'g');
}

describe('the README', () => {
  let service: SharedService;
  let output: string;

  beforeAll(async () => {
    service = await sharedService();
    expect(walk().match(BASE_LINE)).toHaveLength(1);
    const script = walk().replace(BASE_LINE, `BASE=${service.url}/api/v1`);
    const { stdout } = await promisify(execFile)('bash', ['-eu', '-c', script]);
    output = stdout;
  });

  it('shows the new key once, in a form that its secret scanner finds', () => {
    expect(output.match(scannerPattern())).toHaveLength(1);
  });

  it('gets an answer that quotes the document', () => {
    expect(output).toContain(
      '"answer":"Customers may return any order within 30 days of delivery. [1]"',
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

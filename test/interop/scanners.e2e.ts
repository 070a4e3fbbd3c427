import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { altered } from '../support/api-key-secret.js';
import { type ApiKeyUsage, type Client, type IssuedApiKey, outcome } from '../support/client.js';
import { furnish } from '../support/furnish.js';
import { buildGoProgram } from '../support/go-program.mjs';
import { createSecret, LEAKS, LOOKALIKES } from '../support/leaky-files.js';
import { freePort } from '../support/postgres.mjs';
import { registry } from '../support/requirement.js';
import type { SharedService } from '../support/shared-service.js';
import { snippetsOf } from '../support/snippets.js';

// Other people's scanners, unmodified, with the rules of deploy/scanners.

const gitleaks = buildGoProgram('github.com/zricethezav/gitleaks/v8@v8.30.1');
const withGitleaks = registry('gitleaks, from Go’s module proxy,', gitleaks !== undefined);
const trufflehog = buildGoProgram('github.com/trufflesecurity/trufflehog/v3@v3.90.0');
const withTrufflehog = registry('TruffleHog, from Go’s module proxy,', trufflehog !== undefined);

const SCANNERS = resolve('deploy/scanners');
const RULE = 'latchkey-api-key';
const MINIFIED = 'public/app.min.js';
const snippets = snippetsOf(join(SCANNERS, 'README.md'));
const run = promisify(execFile);
const folder = mkdtempSync(join(process.env['LATCHKEY_TEST_DIR'] ?? tmpdir(), 'scanners-'));

const commandsUnder = (heading: string) =>
  snippets
    .filter((one) => one.heading === heading && one.language === 'sh')
    .map(({ code }) => code);

function git(cwd: string, ...args: string[]) {
  const identity = ['-c', 'user.name=Alice', '-c', 'user.email=alice@example.com'];
  return spawnSync('git', [...identity, ...args], { cwd, encoding: 'utf8', env: environment() });
}

/** The scanners are called by the names by which they are installed. */
const environment = () => ({
  PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}`,
  HOME: folder,
});

function createRepository(name: string, files: Readonly<Record<string, string>>): string {
  const repository = join(folder, name);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(repository, path)), { recursive: true });
    writeFileSync(join(repository, path), content);
  }
  git(repository, 'init', '-q');
  return repository;
}

function commit(repository: string) {
  git(repository, 'add', '-A');
  return git(repository, 'commit', '-q', '-m', 'A commit');
}

describe('the rules for secret scanners', () => {
  let service: SharedService;
  let alice: Client;
  let partner: Client;
  let kbId: string;
  /** Keys that work, by the files that they are in. */
  let real: Record<string, IssuedApiKey>;
  let keys: Record<string, string>;
  let repository: string;
  const typo = altered(createSecret('live'), 20);

  beforeAll(async () => {
    ({ service, alice, partner, kbId } = await furnish());
    mkdirSync(join(folder, 'bin'));
    for (const [name, file] of Object.entries({ gitleaks, trufflehog })) {
      if (file !== undefined) copyFileSync(file, join(folder, 'bin', name));
    }
    const account = await alice.createServiceAccount(kbId);
    real = {
      '.env': await alice.createApiKey(kbId),
      'config.yaml': await alice.createApiKey(kbId, { environment: 'test' }),
      'src/ask.ts': await alice.createManagementKey(account.id, ['keys:read']),
    };
    keys = Object.fromEntries(
      Object.keys(LEAKS).map((path) => [path, real[path]?.api_key ?? createSecret('live')]),
    );
    const leaks = Object.entries(LEAKS).map(([path, write]) => [path, write(String(keys[path]))]);
    repository = createRepository('shop', {
      ...(Object.fromEntries(leaks) as Record<string, string>),
      'typo.txt': typo,
      'lookalikes.txt': LOOKALIKES.join('\n'),
    });
    commit(repository);
    // What was deleted is still in the history.
    git(repository, 'rm', '-q', '.env');
    commit(repository);
  });

  const lastUsed = async ({ id }: IssuedApiKey) =>
    (await alice.get<ApiKeyUsage>(`/api-keys/${id}/usage`)).body.last_used_at;

  /** Runs a command of the page, which reports one key. */
  async function report(place: string, command: number): Promise<void> {
    const script = String(commandsUnder('Report what was found')[command]);
    const env = { ...environment(), LATCHKEY_URL: service.url };
    const { stdout } = await run('sh', ['-c', script], { cwd: place, env });
    expect(JSON.parse(stdout)).toEqual({ results: [{ index: 0, status: 'revoked' }] });
  }

  withGitleaks.describe('gitleaks', () => {
    interface Finding {
      RuleID: string;
      File: string;
      Secret: string;
    }

    async function scan(place: string, command = 'git'): Promise<Finding[]> {
      const report = join(folder, 'gitleaks.json');
      const options = ['--config', join(SCANNERS, 'gitleaks.toml'), '--report-path', report];
      await run('gitleaks', [command, ...options, '--exit-code', '0', place], {
        env: environment(),
      });
      return JSON.parse(readFileSync(report, 'utf8')) as Finding[];
    }
    const ofRule = (findings: Finding[]) => findings.filter(({ RuleID }) => RuleID === RULE);

    it('finds every key, in its file, and of what is none only a typo', async () => {
      const findings = ofRule(await scan(repository));
      expect(findings.map(({ File, Secret }) => [File, Secret]).sort()).toEqual(
        [...Object.entries(keys), ['typo.txt', typo]].sort(),
      );
    });

    it('finds no key in the documentation', async () => {
      for (const place of ['docs', 'deploy', 'examples', 'openapi.json', 'README.md']) {
        expect([place, ofRule(await scan(resolve(place), 'dir'))]).toEqual([place, []]);
      }
    });

    it('lets no key be committed', () => {
      const [hook = ''] = commandsUnder('Before a commit');
      const place = createRepository('hooked', { 'a.txt': 'Nothing yet' });
      copyFileSync(join(SCANNERS, 'gitleaks.toml'), join(place, '.gitleaks.toml'));
      writeFileSync(join(place, '.git/hooks/pre-commit'), `#!/bin/sh\n${hook}`, { mode: 0o755 });
      expect(commit(place).status).toBe(0);
      const key = createSecret('live');
      writeFileSync(join(place, 'a.txt'), `KEY=${key}`);
      const { status, stdout, stderr } = commit(place);
      expect([status, stdout + stderr]).toEqual([1, expect.stringContaining('leaks found: 1')]);
      expect(stdout + stderr).not.toContain(key);
      writeFileSync(join(place, 'a.txt'), `KEY=${key} # gitleaks:allow`);
      expect(commit(place).status).toBe(0);
    });
  });

  describe('TruffleHog', () => {
    interface Finding {
      Raw: string;
      Verified: boolean;
      SourceMetadata: { Data: { Git?: { file: string } } };
    }
    let verifierUrl: string;
    const verifiers: ChildProcess[] = [];

    /** @param url of the service that it asks */
    async function startVerifier(url: string): Promise<string> {
      const port = String(await freePort());
      const verifier = spawn(process.execPath, [join(SCANNERS, 'verifier.mjs')], {
        env: { LATCHKEY_URL: url, PORT: port },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      verifiers.push(verifier);
      await once(verifier.stdout, 'data');
      return `http://127.0.0.1:${port}/`;
    }

    beforeAll(async () => {
      verifierUrl = await startVerifier(service.url);
    });
    afterAll(() => {
      for (const verifier of verifiers) verifier.kill();
    });

    const verify = async (keysFound: string[], verifier = verifierUrl) => {
      const body = JSON.stringify({ LatchkeyApiKey: { api_key: keysFound } });
      return (await fetch(verifier, { method: 'POST', body })).status;
    };

    it('learns which keys work, and the service counts no use', async () => {
      const { '.env': key, 'src/ask.ts': managing } = real;
      if (!key || !managing) throw new Error('unreachable');
      expect(await verify([`${key.api_key}"`, key.api_key])).toBe(200);
      expect(await verify([managing.api_key])).toBe(200);
      const elsewhere = await alice.createApiKey(kbId, { allowed_ips: ['192.0.2.1'] });
      expect(await verify([elsewhere.api_key])).toBe(200);
      const revoked = await alice.createApiKey(kbId);
      await alice.call('PATCH', `/api-keys/${revoked.id}/revoke`);
      expect(await verify([revoked.api_key])).toBe(403);
      expect(await verify([createSecret('live')])).toBe(403);
      expect(await verify([typo])).toBe(403);
      expect([await lastUsed(key), await lastUsed(managing)]).toEqual([null, null]);
      // A use is written at once, so it would be seen.
      const used = await alice.createApiKey(kbId);
      await partner.query(used.api_key, 'x');
      expect(await lastUsed(used)).not.toBeNull();
    });

    it('learns without the service that a typo is no key, and nothing of other keys', async () => {
      const away = await startVerifier(`http://127.0.0.1:${await freePort()}`);
      expect(await verify([typo], away)).toBe(403);
      expect(await verify([createSecret('live')], away)).toBe(502);
    });

    async function scan(...source: string[]): Promise<string> {
      const config = join(folder, 'trufflehog.yaml');
      const written = readFileSync(join(SCANNERS, 'trufflehog.yaml'), 'utf8');
      writeFileSync(config, written.replace('http://127.0.0.1:8787/', verifierUrl));
      // Its own detectors would ask other people's services about the lookalikes.
      const options = ['--config', config, '--include-detectors=CustomRegex', '--no-update'];
      const { stdout } = await run('trufflehog', [...source, ...options, '--json'], {
        env: environment(),
      });
      return stdout;
    }
    const parse = (report: string) =>
      report
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Finding);

    withTrufflehog.it('finds every key, in its file, and says which ones work', async () => {
      const findings = parse(await scan('git', `file://${repository}`));
      // In git it reads no line of more than 64 KiB.
      const { [MINIFIED]: minified, ...others } = keys;
      expect(
        findings
          .map(({ Raw, Verified, SourceMetadata: { Data } }) => [Data.Git?.file, Raw, Verified])
          .sort(),
      ).toEqual(
        [
          ...Object.entries(others).map(([path, key]) => [path, key, path in real]),
          ['typo.txt', typo, false],
        ].sort(),
      );
      const [long] = parse(await scan('filesystem', join(repository, MINIFIED)));
      expect(long).toMatchObject({ Raw: minified, Verified: false });
      for (const key of Object.values(real)) expect(await lastUsed(key)).toBeNull();
    });

    withTrufflehog.it(
      'found a key, which is reported, and the next request is refused',
      async () => {
        const key = await alice.createApiKey(kbId);
        const place = createRepository('found', { '.env': `KEY=${key.api_key}` });
        commit(place);
        writeFileSync(join(place, 'found.jsonl'), await scan('git', `file://${place}`));
        await report(place, 1);
        expect(outcome(await partner.query(key.api_key, 'x'))).toBe('401 api_key_revoked');
      },
    );
  });

  withGitleaks.it('a key that was found is reported, and the next request is refused', async () => {
    const key = await alice.createApiKey(kbId);
    const place = createRepository('leaky', { '.env': `KEY=${key.api_key}` });
    copyFileSync(join(SCANNERS, 'gitleaks.toml'), join(place, '.gitleaks.toml'));
    commit(place);
    expect(outcome(await partner.query(key.api_key, 'x'))).toBe('200');
    await report(place, 0);
    expect(outcome(await partner.query(key.api_key, 'x'))).toBe('401 api_key_revoked');
  });

  it('GitLab reports a key of the rule with a token of its own', async () => {
    const key = await alice.createApiKey(kbId);
    const [types = '{}'] = snippets
      .filter(({ language }) => language === 'json')
      .map(({ code }) => code);
    const [type] = (JSON.parse(types) as { types: [string] }).types;
    expect(type).toBe(`gitleaks_rule_id_${RULE}`);
    const leak = {
      type,
      token: key.api_key,
      url: 'https://gitlab.example.com/shop/-/blob/1a2b/.env',
    };
    const answer = await partner.post('/leaked-api-keys/gitlab', [leak], { authorization: 'none' });
    expect(answer.status).toBe(200);
    expect(outcome(await partner.query(key.api_key, 'x'))).toBe('401 api_key_revoked');
  });
});

import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { load } from 'js-yaml';
import { type Client, type IssuedApiKey, outcome } from '../support/client.js';
import { furnish } from '../support/furnish.js';
import { LossyFront } from '../support/lossy-front.js';
import { PackedCli, type Result } from '../support/packed-cli.js';
import { optionalTool } from '../support/requirement.js';

const RECIPES = resolve('deploy/rotation');
const isThere = (program: string) => !spawnSync(program, ['--version']).error;
const withFlock = optionalTool('flock', isThere('flock'));
const withCurl = optionalTool('curl or jq', isThere('curl') && isThere('jq'));
const folder = mkdtempSync(join(process.env['LATCHKEY_TEST_DIR'] ?? tmpdir(), 'rotation-'));

/** Writes a program, to be found before others of its name. */
function stub(name: string, script: string): string {
  const bin = mkdtempSync(join(folder, 'bin-'));
  writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return bin;
}

const run = (program: string, args: string[], env: NodeJS.ProcessEnv): Promise<Result> =>
  promisify(execFile)(program, args, { env }).then(
    (output) => ({ code: 0, ...output }),
    (error: unknown) => error as Result,
  );

describe('a recipe for keys that rotate themselves', () => {
  let alice: Client;
  let partner: Client;
  let kbId: string;
  let front: LossyFront;
  let key: IssuedApiKey;

  beforeAll(async () => {
    const furnished = await furnish();
    ({ alice, partner, kbId } = furnished);
    front = await LossyFront.start(furnished.service.url);
  });
  beforeEach(async () => {
    key = await alice.createApiKey(kbId, { self_rotation: { grace_seconds: 3600 } });
    front.refusals.clear();
  });
  afterAll(() => {
    front.stop();
  });

  const asks = async (secret: string) => outcome(await partner.query(secret, 'returns'));
  const find = async (id: string) => (await alice.get<IssuedApiKey>(`/api-keys/${id}`)).body;
  /** The one successor of the key, whose secret must be `secret`. */
  async function findSuccessor(secret: string): Promise<string> {
    const { rotated_to: id } = await find(key.id);
    const successor = await find(String(id));
    expect(successor.rotated_to).toBeNull();
    expect(secret.startsWith(successor.prefix)).toBe(true);
    expect([await asks(key.api_key), await asks(secret)]).toEqual(['200', '200']);
    return successor.id;
  }

  /** Whoever guesses the key of idempotency from the old key would take the successor. */
  async function expectNotRepeatable(): Promise<void> {
    const hash = createHash('sha256').update(key.api_key).digest('hex');
    for (const guess of [hash, hash.slice(0, 32)]) {
      const headers = { authorization: `Bearer ${key.api_key}`, 'idempotency-key': guess };
      expect(outcome(await partner.post('/key/rotate', undefined, headers))).toBe(
        '409 already_rotated',
      );
    }
  }

  withFlock.describe('for a file', () => {
    let cli: PackedCli;
    let file: string;

    beforeAll(async () => {
      cli = await PackedCli.install();
    });
    beforeEach(() => {
      days = undefined;
      file = join(mkdtempSync(join(folder, 'key-')), 'key');
      writeFileSync(file, `${key.api_key}\n`, { mode: 0o644 });
      utimesSync(file, 0, Date.now() / 1000 - 31 * 24 * 3600);
    });

    let days: string | undefined;
    const rotate = (...first: string[]) =>
      run(join(RECIPES, 'rotate-key.sh'), [file], {
        PATH: [...first, join(cli.folder, 'node_modules/.bin'), process.env['PATH']].join(':'),
        LATCHKEY_URL: front.url,
        ...(days !== undefined && { ROTATE_AFTER_DAYS: days }),
      });
    const content = () => readFileSync(file, 'utf8').trim();

    it('replaces it when it is old, and only then', async () => {
      expect((await rotate()).code).toBe(0);
      const secret = content();
      await findSuccessor(secret);
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect((await rotate()).code).toBe(0);
      expect(content()).toBe(secret);
    });

    it('gives nothing to who has the old key alone', async () => {
      expect((await rotate()).code).toBe(0);
      expect(existsSync(`${file}.attempt`)).toBe(false);
      await expectNotRepeatable();
      expect(await asks(content())).toBe('200');
    });

    it('follows a link to the file, and refuses a time that is none', async () => {
      const link = join(mkdtempSync(join(folder, 'link-')), 'key');
      symlinkSync(file, link);
      const target = file;
      file = link;
      expect((await rotate()).code).toBe(0);
      expect(lstatSync(link).isSymbolicLink()).toBe(true);
      await findSuccessor(readFileSync(target, 'utf8').trim());
      days = 'soon';
      const { code, stderr } = await rotate();
      expect([code, stderr]).toEqual([2, 'ROTATE_AFTER_DAYS must be a number of days\n']);
    });

    it('gets the same successor after an answer that was lost', async () => {
      front.losesNext = true;
      expect((await rotate()).code).toBe(3);
      expect(content()).toBe(key.api_key);
      const { rotated_to: successor } = await find(key.id);
      expect(successor).not.toBeNull();
      expect((await rotate()).code).toBe(0);
      expect(await findSuccessor(content())).toBe(successor);
    });

    it('gets the same successor after it was killed before it replaced the file', async () => {
      await rotate(stub('sync', 'case $1 in *.new) kill -9 $PPID ;; esac'));
      expect(content()).toBe(key.api_key);
      expect(await asks(content())).toBe('200');
      const { rotated_to: successor } = await find(key.id);
      expect((await rotate()).code).toBe(0);
      expect(await findSuccessor(content())).toBe(successor);
    });

    /** Rotates the key in a way that the script cannot repeat, as after 24 hours. */
    async function rotateLongAgo(): Promise<string> {
      const headers = { authorization: `Bearer ${key.api_key}` };
      return (await partner.post<IssuedApiKey>('/key/rotate', {}, headers)).body.api_key;
    }

    it('goes on with a successor that an earlier run could not put in its place', async () => {
      const successor = await rotateLongAgo();
      writeFileSync(`${file}.new`, `${successor}\n`);
      // Nor is it lost when the service does not say that it works.
      front.refusals.set('/api/v1/key', 403);
      expect((await rotate()).code).not.toBe(0);
      expect(readFileSync(`${file}.new`, 'utf8').trim()).toBe(successor);
      front.refusals.clear();
      expect((await rotate()).code).toBe(0);
      expect([content(), existsSync(`${file}.new`)]).toEqual([successor, false]);
      await findSuccessor(successor);
    });

    it('goes on with no key that is older than the file', async () => {
      const other = await alice.createApiKey(kbId);
      writeFileSync(`${file}.new`, other.api_key);
      utimesSync(`${file}.new`, 0, Date.now() / 1000 - 32 * 24 * 3600);
      expect((await rotate()).code).toBe(0);
      await findSuccessor(content());
    });

    it('rotates once when it runs several times at once', async () => {
      const results = await Promise.all([rotate(), rotate(), rotate()]);
      expect(results.map(({ code }) => code)).toEqual([0, 0, 0]);
      await findSuccessor(content());
    });

    it('leaves the file as it is and says why when the key may not rotate itself', async () => {
      await alice.call('PATCH', `/api-keys/${key.id}`, { self_rotation: null });
      const { code, stderr } = await rotate();
      expect([code, stderr]).toEqual([1, expect.stringContaining('self_rotation_off')]);
      expect(content()).toBe(key.api_key);
    });

    it('fails where there is no file', async () => {
      rmSync(file);
      expect([(await rotate()).code, existsSync(file)]).toEqual([1, false]);
    });

    it('has units that systemd accepts', () => {
      const analyze = ['verify', '--man=no'];
      const units = ['rotate-key.service', 'rotate-key.timer'].map((name) => join(RECIPES, name));
      const { error, stderr } = spawnSync('systemd-analyze', [...analyze, ...units], {
        encoding: 'utf8',
      });
      // Not everywhere; the program is installed where the units are.
      if (error) return;
      const about = stderr.split('\n').filter((line) => line.includes('rotate-key.'));
      expect(about.filter((line) => !line.includes('is not executable'))).toEqual([]);
    });
  });

  withCurl.describe('for GitHub Actions', () => {
    interface Step {
      shell: string;
      env: Record<string, string>;
      run: string;
    }
    const workflow = load(readFileSync(join(RECIPES, 'rotate-key.yml'), 'utf8')) as {
      permissions: object;
      concurrency: object;
      jobs: { rotate: { env: object; steps: [Step] } };
    };
    const [step] = workflow.jobs.rotate.steps;

    /** As GitHub runs a step with `shell: bash`. */
    async function runStep(gh: string): Promise<Result> {
      const secrets: Record<string, string> = {
        LATCHKEY_API_KEY: key.api_key,
        SECRETS_TOKEN: 'token',
      };
      const given = Object.entries(step.env).map(([name, value]) => [
        name,
        value
          .replace(/\$\{\{ secrets\.(\w+) \}\}/, (_, secret: string) => String(secrets[secret]))
          .replace('${{ github.repository }}', 'shop/site'),
      ]);
      const script = join(folder, 'step.sh');
      writeFileSync(script, step.run);
      return run('bash', ['--noprofile', '--norc', '-eo', 'pipefail', script], {
        ...(Object.fromEntries(given) as Record<string, string>),
        PATH: `${stub('gh', gh)}:${process.env['PATH'] ?? ''}`,
        LATCHKEY_URL: front.url,
      });
    }

    const stored = join(folder, 'stored');
    const STORE = `echo "$GH_REPO $GH_TOKEN $*" > ${stored}.args; exec cat > ${stored}`;

    it('stores the successor, and prints its secret only to have it masked', async () => {
      front.losesNext = true;
      const { code, stdout } = await runStep(STORE);
      expect(code).toBe(0);
      const secret = readFileSync(stored, 'utf8');
      const id = await findSuccessor(secret);
      expect(stdout).toBe(`::add-mask::${secret}\n${id}\n`);
      expect(readFileSync(`${stored}.args`, 'utf8')).toBe(
        'shop/site token secret set LATCHKEY_API_KEY\n',
      );
    });

    it('gets the same successor when it runs again because it could not be stored', async () => {
      expect((await runStep('exit 1')).code).toBe(1);
      const { rotated_to: successor } = await find(key.id);
      expect((await runStep(STORE)).code).toBe(0);
      expect(await findSuccessor(readFileSync(stored, 'utf8'))).toBe(successor);
    });

    it('stores nothing when the key may not rotate itself', async () => {
      await alice.call('PATCH', `/api-keys/${key.id}`, { self_rotation: null });
      const { code, stderr } = await runStep(`echo stored > ${stored}-wrongly`);
      expect([code, stderr]).toEqual([5, expect.stringContaining('may not rotate itself')]);
      expect(existsSync(`${stored}-wrongly`)).toBe(false);
    });

    it('has no permissions of its own, and one run at a time', () => {
      expect(workflow.permissions).toEqual({});
      expect(workflow.concurrency).toMatchObject({ 'cancel-in-progress': false });
      expect(step.shell).toBe('bash');
    });
  });
});

import { execFile, spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { optionalTool, registry } from '../support/requirement.js';
import { Service } from '../support/service.js';

// The provider's own tests, by which Terraform plans, applies and destroys on a running service.

const run = promisify(execFile);
const cwd = resolve('packages/terraform');
const succeeds = (program: string, ...args: string[]) =>
  spawnSync(program, args, { cwd, stdio: 'ignore' }).status === 0;

const terraform = optionalTool('terraform', succeeds('terraform', 'version'));
const go = optionalTool('go', succeeds('go', 'version'));
const modules = registry(
  'Go’s module proxy',
  succeeds('go', 'mod', 'download') && succeeds('go', 'mod', 'download', '-modfile=tools/go.mod'),
);

terraform
  .and(go)
  .and(modules)
  .describe('the Terraform provider', () => {
    let service: Service;

    beforeAll(async () => {
      service = await Service.start({ WEBHOOK_ALLOW_PRIVATE: 'yes' });
    });

    afterAll(async () => {
      await service.stop();
    });

    it('is formatted, and go vet finds nothing', async () => {
      expect((await run('gofmt', ['-l', '.'], { cwd })).stdout).toBe('');
      expect((await run('go', ['vet', './...'], { cwd })).stderr).toBe('');
    });

    it('passes its tests', async () => {
      const env = { ...process.env, TF_ACC: '1', LATCHKEY_TEST_URL: service.url };
      const tests = run('go', ['test', '-count=1', '-json', './...'], {
        cwd,
        env,
        maxBuffer: 1 << 28,
      });
      const { stdout } = await tests.catch((error: unknown) => error as { stdout: string });
      const events = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { Action: string; Test?: string; Output?: string });
      const named = (action: string) =>
        events.filter(({ Action, Test }) => Action === action && Test).map(({ Test }) => Test);
      const failed = named('fail');
      const output = events.filter(({ Test }) => Test && failed.includes(Test));
      expect(output.map(({ Output = '' }) => Output).join('')).toBe('');
      expect(named('skip')).toEqual([]);
      expect(named('pass')).toEqual(expect.arrayContaining(['TestAccNoSecretIsWrittenDown']));
    });
  });

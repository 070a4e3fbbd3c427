import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { outcome } from '../support/client.js';
import { runCommand } from '../support/command.js';
import { sendRaw } from '../support/raw-request.js';
import { Service } from '../support/service.js';

const PEPPERS = `p1:${Buffer.alloc(32, 7).toString('base64')}`;

// All that is refused: config.spec.ts and peppers.spec.ts. Here, that a refusal ends the process.
describe('the start', () => {
  it('is refused in production with trust, and the reason is told', async () => {
    const { code, output } = await Service.refusal({
      API_KEY_PEPPERS: PEPPERS,
      NODE_ENV: 'production',
      DASHBOARD_AUTH_MODE: 'trust',
    });
    expect(code).toBe(1);
    expect(output).toContain('DASHBOARD_AUTH_MODE');
    expect(output.trim().split('\n')).toHaveLength(1);
  });

  it('takes trust in production when that is asked for in words, and says where it listens', async () => {
    const service = await Service.start({
      DASHBOARD_AUTH_MODE: 'trust',
      DASHBOARD_AUTH_TRUST_UNSAFE: 'yes',
      NODE_ENV: 'production',
      API_KEY_PEPPERS: PEPPERS,
    });
    const lines = ['X-Idp-User-Id: alice', 'Host: kb.example.com'];
    const answer = await sendRaw(service, 'GET /api/v1/kbs', lines);
    await service.stop();
    expect(outcome(answer)).toBe('200');
    const url = service.url.replace('127.0.0.1', 'localhost');
    expect(service.logs).toContain(`listens on ${url}/console — API documentation: ${url}/docs\n`);
  });

  it('is refused with a bad API_KEY_PEPPERS, which is named, its value not', async () => {
    const API_KEY_PEPPERS = 'p1:dG9vLXNob3J0';
    const { code, output } = await Service.refusal({ API_KEY_PEPPERS });
    expect(code).toBe(1);
    expect(output).toContain('API_KEY_PEPPERS');
    expect(output).not.toContain(API_KEY_PEPPERS);
    expect(output.trim().split('\n')).toHaveLength(1);
  });

  it('is refused where sources could read the data of the service', async () => {
    const folder = mkdtempSync(join(process.env['LATCHKEY_TEST_DIR'] ?? tmpdir(), 'start-'));
    symlinkSync(folder, join(folder, 'link'));
    const places = { DATA_DIR: join(folder, 'data'), SOURCE_FOLDERS: `/srv,${folder}/link` };
    const { code, output } = await Service.refusal(places);
    expect(code).toBe(1);
    expect(output).toContain('SOURCE_FOLDERS must not overlap with DATA_DIR');
    expect(output.trim().split('\n')).toHaveLength(1);
    expect(existsSync(places.DATA_DIR)).toBe(false);
    const doctor = await runCommand('operations/doctor.command.js', places);
    expect(doctor.output).toMatch(/^problem {2}SOURCE_FOLDERS must not overlap/m);
  });

  it.each(['PORT', 'METRICS_PORT'])('says that the %s is in use, without a stack', async (name) => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const { code, output } = await Service.refusal({ [name]: String(port) });
    other.close();
    expect(code).toBe(1);
    expect(output).toMatch(
      new RegExp(`^${name}: .* port ${port} of HOST, because another program`, 'm'),
    );
    expect(output).not.toContain('    at ');
  });
});

describe('npm start', () => {
  it('says what it builds, step by step, and builds again what did not finish', () => {
    const folder = mkdtempSync(join(process.env['LATCHKEY_TEST_DIR'] ?? tmpdir(), 'start-'));
    for (const file of ['start.mjs', 'build-stale.mjs', 'libraries.mjs']) {
      cpSync(join('scripts', file), join(folder, 'scripts', file));
    }
    const write = (path: string, text: string) => {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    };
    write('src/main.ts', '');
    // What the steps do takes a minute, and is built already.
    write('node_modules/@nestjs/cli/bin/nest.js', '');
    write(
      'scripts/build-service.mjs',
      "import { cpSync } from 'node:fs';\ncpSync('main.js', 'dist/service/main.js');",
    );
    write('node_modules/typescript/bin/tsc', '');
    write('main.js', "console.error('It runs.');");
    write('scripts/openapi-types.mjs', '');
    for (const step of ['cli', 'console', 'widget', 'guide'])
      write(`scripts/build-${step}.mjs`, '');
    const start = () =>
      spawnSync(process.execPath, ['scripts/start.mjs'], { cwd: folder, encoding: 'utf8' });
    const inAMinute = Date.now() / 1000 + 60;
    const first = start();
    expect(first.stdout).toBe('');
    expect(first.stderr.trim().split('\n')).toEqual([
      expect.stringMatching(/^Building .*minute/),
      expect.stringMatching(/^1\/8 .*types/),
      expect.stringMatching(/^2\/8 .*packages/),
      expect.stringMatching(/^3\/8 .*service/),
      expect.stringMatching(/^4\/8 .*bundle/),
      expect.stringMatching(/^5\/8 .*command line/),
      expect.stringMatching(/^6\/8 .*console/),
      expect.stringMatching(/^7\/8 .*widget/),
      expect.stringMatching(/^8\/8 .*guide/),
      'It runs.',
    ]);
    expect(start().stderr).toBe('It runs.\n');

    // Its first step is done then, so that by its age it would pass for a whole build.
    write('src/main.ts', '// changed');
    utimesSync(join(folder, 'src/main.ts'), inAMinute, inAMinute);
    write('scripts/build-cli.mjs', 'process.exit(3);');
    expect(start().status).toBe(3);
    utimesSync(join(folder, 'src/main.ts'), 0, 0);
    utimesSync(join(folder, 'src'), 0, 0);
    write('scripts/build-cli.mjs', '');
    expect(start().stderr).toMatch(/^Building .* did not finish.*\n(?:.*\n){8}It runs\.\n$/);
    expect(start().stderr).toBe('It runs.\n');

    // The service does without the guide.
    write('src/main.ts', '// changed again');
    utimesSync(join(folder, 'src/main.ts'), inAMinute, inAMinute);
    write('scripts/build-guide.mjs', 'process.exit(3);');
    expect(start().stderr).toMatch(/\nThe guide could not be built.*\nIt runs\.\n$/);
  });
});

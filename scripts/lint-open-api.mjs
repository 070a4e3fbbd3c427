// Lints openapi.json. The linters have a folder of their own, installed when they are first needed.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const folder = 'tools/openapi-lint';
const run = (...command) => {
  const [program, ...args] = command;
  const { status } = spawnSync(program, args, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
};

if (!existsSync(`${folder}/node_modules`)) run('npm', 'ci', '--prefix', folder, '--ignore-scripts');
const bin = `${folder}/node_modules/.bin`;
run(`${bin}/redocly`, 'lint', '--config', '.redocly/redocly.yaml', 'openapi.json');
run(
  `${bin}/spectral`,
  'lint',
  '--fail-severity',
  'hint',
  '--ruleset',
  '.spectral.yaml',
  'openapi.json',
);

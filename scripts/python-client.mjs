// Writes what is generated of the Python package: the asynchronous client, from the synchronous one,
// and the types, from openapi.json.
//   --check  changes nothing; fails when a file is not up to date
//   --types  the types too, by datamodel-codegen, which is installed when it is first needed
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toAsync } from './to-async.mjs';

const PACKAGE = 'packages/python/src/latchkey_client';
const TOOL = 'tools/python-types';

const isCheck = process.argv.includes('--check');
const stale = [];

function write(name, content) {
  const file = `${PACKAGE}/${name}`;
  if (existsSync(file) && readFileSync(file, 'utf8') === content) return;
  if (isCheck) stale.push(file);
  else writeFileSync(file, content);
}

function run(program, ...args) {
  const { status, error } = spawnSync(program, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) throw error ?? new Error(`${program} ended with ${status}`);
}

function generateTypes() {
  const program = process.env.DATAMODEL_CODEGEN ?? `${TOOL}/venv/bin/datamodel-codegen`;
  if (!existsSync(program)) {
    run('python3', '-m', 'venv', `${TOOL}/venv`);
    run(`${TOOL}/venv/bin/pip`, 'install', '--quiet', '--requirement', `${TOOL}/requirements.txt`);
  }
  const output = join(mkdtempSync(join(tmpdir(), 'python-types-')), 'types.py');
  const options = ['--input-file-type', 'openapi', '--output-model-type', 'typing.TypedDict'];
  options.push('--strict-nullable', '--use-union-operator', '--use-standard-collections');
  options.push('--target-python-version', '3.10', '--formatters', 'black', 'isort');
  options.push('--use-double-quotes', '--disable-timestamp', '--disable-warnings');
  run(program, '--input', 'openapi.json', ...options, '--output', output);
  return readFileSync(output, 'utf8');
}

write('_async_client.py', toAsync(readFileSync(`${PACKAGE}/_client.py`, 'utf8')));
if (process.argv.includes('--types')) write('types.py', generateTypes());
if (stale.length > 0) {
  console.error(`Not up to date: ${stale.join(', ')}. Run: npm run python -- --types`);
  process.exit(1);
}

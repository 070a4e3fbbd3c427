import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect } from '@jest/globals';
import { bring, CACHE, isThere } from '../support/maven.mjs';
import { registry } from '../support/requirement.js';
import { sharedService } from '../support/shared-service.js';

// Clients that generators write from the documents of the service, as they are and with the generators'
// own settings, and that their compilers read.

const GENERATOR = '7.25.0';
const OAPI_CODEGEN = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2';
const PYTHON_CLIENT = 'openapi-python-client==0.29.1';
/** What clients in Python import. */
const PYTHON_NEEDS = [
  'pydantic',
  'python-dateutil',
  'typing-extensions',
  'urllib3',
  'httpx',
  'attrs',
];

const folder = mkdtempSync(join(process.env['LATCHKEY_TEST_DIR'] ?? tmpdir(), 'clients-'));
const inFolder = (name: string) => join(folder, name);
const execute = promisify(execFile);

/** @returns what a program printed and why it failed, or nothing */
async function errorsOf(program: string, args: readonly string[], cwd = folder): Promise<string> {
  try {
    await execute(program, args, { cwd, maxBuffer: 1 << 26 });
    return '';
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    return `${program} failed: ${stdout.slice(0, 4_000)}${stderr.slice(0, 4_000)}`;
  }
}

const JARS = join(CACHE, `openapi-generator-${GENERATOR}`);
const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>latchkey</groupId><artifactId>generators</artifactId><version>1</version>
</project>`;
const jar = join(JARS, `openapi-generator-cli-${GENERATOR}.jar`);
const artifact = `-Dartifact=org.openapitools:openapi-generator-cli:${GENERATOR}:jar`;
const maven = registry(
  'Maven’s registry, or Java',
  isThere('java') && bring(JARS, POM, 'dependency:copy', artifact),
);

const succeeds = (program: string, ...args: string[]) =>
  spawnSync(program, args, {
    stdio: 'ignore',
    env: { ...process.env, GOBIN: inFolder('bin'), GOFLAGS: '-modcacherw' },
  }).status === 0;

const go = registry('Go’s module proxy', succeeds('go', 'install', OAPI_CODEGEN));
const venv = (program: string) => join(folder, 'venv/bin', program);
const python = registry(
  'Python’s registry',
  succeeds('python3', '-m', 'venv', inFolder('venv')) &&
    succeeds(venv('python'), '-m', 'pip', 'install', '-q', PYTHON_CLIENT, ...PYTHON_NEEDS),
);

/** Imports every module of a package in the folder. */
const importAll = (name: string) =>
  errorsOf(venv('python'), [
    '-c',
    `import importlib, pkgutil, sys
sys.path[:0] = ['.', '${name}']
package = importlib.import_module('${name}')
for module in pkgutil.walk_packages(package.__path__, '${name}.'):
    importlib.import_module(module.name)`,
  ]);

describe('clients that other languages’ generators write', () => {
  beforeAll(async () => {
    const service = await sharedService();
    for (const name of ['openapi.json', 'openapi-3.0.json']) {
      const response = await fetch(new URL(`/${name}`, service.url));
      expect(response.status).toBe(200);
      writeFileSync(inFolder(name), await response.text());
    }
  });

  const generate = (document: string, language: string) =>
    errorsOf('java', ['-jar', jar, 'generate', '-i', document, '-g', language, '-o', language]);

  maven.it('compile: openapi-generator for Java', async () => {
    expect(await generate('openapi.json', 'java')).toBe('');
    const compile = ['-q', '-B', 'compile', '-Dmaven.compiler.maxmem=512m'];
    expect(await errorsOf('mvn', compile, inFolder('java'))).toBe('');
  });

  maven.and(go).it('compile: openapi-generator for Go', async () => {
    expect(await generate('openapi.json', 'go')).toBe('');
    // Its own tests need a library that the client does not.
    rmSync(inFolder('go/test'), { recursive: true, force: true });
    expect(await errorsOf('go', ['mod', 'tidy'], inFolder('go'))).toBe('');
    expect(await errorsOf('go', ['build', './...'], inFolder('go'))).toBe('');
  });

  maven.it('compile: openapi-generator for TypeScript', async () => {
    expect(await generate('openapi.json', 'typescript-fetch')).toBe('');
    const place = inFolder('typescript-fetch');
    symlinkSync(resolve('node_modules'), join(place, 'node_modules'));
    const compilerOptions = {
      ...{ strict: true, noEmit: true, target: 'es2022', module: 'preserve', types: [] },
      lib: ['es2023', 'dom', 'dom.iterable'],
    };
    writeFileSync(join(place, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
    const tsc = resolve('node_modules/typescript/bin/tsc');
    expect(await errorsOf(process.execPath, [tsc, '--project', place])).toBe('');
  });

  maven.and(python).it('can be imported: openapi-generator for Python', async () => {
    expect(await generate('openapi.json', 'python')).toBe('');
    // As its setup would install it.
    symlinkSync(inFolder('python/openapi_client'), inFolder('openapi_client'));
    expect(await importAll('openapi_client')).toBe('');
  });

  for (const [document, name] of [
    ['openapi.json', 'client_of_31'],
    ['openapi-3.0.json', 'client_of_30'],
  ] as const) {
    python.it(`can be imported: openapi-python-client, from ${document}`, async () => {
      const args = ['generate', '--path', document, '--output-path', name, '--meta', 'none'];
      expect(await errorsOf(venv('openapi-python-client'), args)).toBe('');
      expect(await importAll(name)).toBe('');
    });
  }

  go.it('compile: oapi-codegen, from OpenAPI 3.0', async () => {
    const place = inFolder('oapi-codegen');
    mkdirSync(place);
    const generate = ['-generate', 'types,client', '-package', 'latchkey', '-o'];
    const args = [...generate, join(place, 'client.go'), 'openapi-3.0.json'];
    expect(await errorsOf(inFolder('bin/oapi-codegen'), args)).toBe('');
    writeFileSync(join(place, 'go.mod'), 'module latchkey\n\ngo 1.24\n');
    expect(await errorsOf('go', ['mod', 'tidy'], place)).toBe('');
    expect(await errorsOf('go', ['vet', './...'], place)).toBe('');
  });
});

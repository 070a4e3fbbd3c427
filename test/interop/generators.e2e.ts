import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';

const run = promisify(execFile);
const folder = mkdtempSync(join(process.env['LATCHKEY_TEST_DIR'] ?? tmpdir(), 'generators-'));

/** Compiles all files of a folder. */
async function compile(place: string): Promise<string> {
  symlinkSync(resolve('node_modules'), join(place, 'node_modules'));
  const compilerOptions = {
    strict: true,
    ...{ noEmit: true, target: 'es2022', module: 'preserve', types: [], skipLibCheck: true },
    lib: ['es2023', 'dom', 'dom.iterable'],
  };
  writeFileSync(
    join(place, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, include: ['**/*.ts'], exclude: ['node_modules'] }),
  );
  const tsc = resolve('node_modules/typescript/bin/tsc');
  const { stdout } = await run(process.execPath, [tsc, '--project', place]).catch(
    (error: unknown) => error as { stdout: string },
  );
  return stdout;
}

describe('clients that are generated from openapi.json', () => {
  it('compile strictly: openapi-typescript', async () => {
    const place = join(folder, 'openapi-typescript');
    mkdirSync(place);
    const generator = 'node_modules/openapi-typescript/bin/cli.js';
    await run(process.execPath, [generator, 'openapi.json', '-o', join(place, 'schema.ts')]);
    writeFileSync(
      join(place, 'use.ts'),
      `import createClient from 'openapi-fetch';
import type { paths, webhooks } from './schema';
const client = createClient<paths>({ baseUrl: 'http://localhost:3000' });
export async function firstText(message: string): Promise<string | undefined> {
  const { data } = await client.POST('/api/v1/query', { body: { message, top_k: 1 } });
  const page: number | null | undefined = data?.results[0]?.page;
  return page === null ? undefined : data?.results[0]?.text;
}
// @ts-expect-error: it is a number
void client.POST('/api/v1/query', { body: { message: 'a', top_k: 'many' } });
type Body = webhooks['api_key.revoked']['post']['requestBody']['content']['application/json'];
export const keyOf = ({ data }: Body): string => data.api_key_id;
`,
    );
    expect(await compile(place)).toBe('');
  });

  it('compile strictly: @hey-api/openapi-ts', async () => {
    const place = join(folder, 'hey-api');
    const generator = 'node_modules/@hey-api/openapi-ts/bin/run.js';
    const args = ['--input', 'openapi.json', '--output', join(place, 'client'), '--silent'];
    await run(process.execPath, [generator, ...args, '--client', '@hey-api/client-fetch']);
    writeFileSync(
      join(place, 'use.ts'),
      `import { createChatCompletion, query, retrieveForDify } from './client';
export async function firstText(message: string): Promise<string | undefined> {
  const { data } = await query({ auth: 'rag_live_', body: { message, top_k: 1 } });
  return data?.results[0]?.text;
}
// @ts-expect-error: it is a number
void query({ body: { message: 'a', top_k: 'many' } });
export const messages = [{ role: 'user' as const, content: 'a' }];
void createChatCompletion({ body: { model: 'latchkey', messages } });
void retrieveForDify({ body: { knowledge_id: 'kb_1', query: 'a', retrieval_setting: { top_k: 1 } } });
`,
    );
    expect(await compile(place)).toBe('');
  });
});

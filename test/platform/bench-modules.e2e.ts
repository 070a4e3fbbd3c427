import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

it('benchmarks load modules that the service has', () => {
  const files = readdirSync('bench', { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.mjs') && !path.includes('node_modules'),
  );
  const modules = files.flatMap((file) =>
    [...readFileSync(join('bench', file), 'utf8').matchAll(/fromService\('([^']+)\.js'\)/g)].map(
      ([, module = '']) => `src/${module}.ts`,
    ),
  );
  expect(modules).not.toEqual([]);
  expect(modules.filter((module) => !existsSync(module))).toEqual([]);
});

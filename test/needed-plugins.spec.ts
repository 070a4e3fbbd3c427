import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, it } from '@jest/globals';
import { NEEDED_PLUGINS } from './needed-plugins.mjs';

it('names files of this folder, each of which is one', () => {
  const files = readdirSync('test', { recursive: true, encoding: 'utf8' }).map((path) =>
    basename(path),
  );
  const found = Object.keys(NEEDED_PLUGINS).map((name) => [
    name,
    files.filter((file) => file === `${name}.e2e.ts`).length,
  ]);
  expect(found.filter(([, count]) => count !== 1)).toEqual([]);
});

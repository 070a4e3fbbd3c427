import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { RUNTIME_PACKAGE } from './runtime-package.js';

it('is the version that the tests run on', () => {
  const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    devDependencies: Record<string, string>;
  };
  const version = devDependencies['onnxruntime-node'] ?? '';
  expect(`onnxruntime-node@${version.replace(/^\^/, '')}`).toBe(`${RUNTIME_PACKAGE}.0`);
});

import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { RUNTIME_PACKAGE } from './runtime-package.js';

it('has the version that the tests use', () => {
  const { optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    optionalDependencies: Record<string, string>;
  };
  const version = optionalDependencies['onnxruntime-node'] ?? '';
  expect(`onnxruntime-node@${version.replace(/^\^/, '')}`).toBe(`${RUNTIME_PACKAGE}.0`);
});

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';

it('docs/configuration.md is what the declarations say; after a change: npm run openapi', async () => {
  const check = promisify(execFile)(process.execPath, ['scripts/configuration.mjs', '--check']);
  await expect(check).resolves.toMatchObject({ stderr: '' });
});

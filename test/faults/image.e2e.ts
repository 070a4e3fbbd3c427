import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { optionalTool } from '../support/requirement.js';

const canMount =
  process.platform === 'linux' &&
  spawnSync('unshare', ['--mount', '--propagation', 'private', 'true']).status === 0;
const unshare = optionalTool('unshare, with the right to mount,', canMount);

unshare.describe('the Dockerfile', () => {
  it('gives an image that starts as another user than root, is healthy and stops', async () => {
    const { stdout } = await promisify(execFile)('npm', ['run', 'image:try'], {
      maxBuffer: 64 * 1024 * 1024,
    });
    expect(stdout).toContain('--- The image works.');
  });
});

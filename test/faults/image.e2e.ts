import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { hasOptionalTool } from '../support/tool.js';

const canMount =
  process.platform === 'linux' &&
  spawnSync('unshare', ['--mount', '--propagation', 'private', 'true']).status === 0;
const possible = hasOptionalTool(
  'unshare, with the right to mount,',
  canMount,
  'the Dockerfile is',
);

(possible ? describe : describe.skip)('the Dockerfile', () => {
  it('gives an image that starts as another user than root, is healthy and stops', async () => {
    const { stdout } = await promisify(execFile)('npm', ['run', 'image:try'], {
      maxBuffer: 64 * 1024 * 1024,
    });
    expect(stdout).toContain('--- The image works.');
  });
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { basename } from 'node:path';
import { text } from 'node:stream/consumers';
import { START_ENVIRONMENT } from './launch.mjs';

/**
 * Runs one of the service's commands beside it, as `npm run` does.
 *
 * @param entry its file below `dist/src`, which is bundled
 * @param environment that of a service
 * @param input what it reads on standard input
 */
export async function runCommand(
  entry: string,
  environment: NodeJS.ProcessEnv,
  input = '',
  ...values: string[]
): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [`dist/service/${basename(entry)}`, ...values], {
    env: { ...START_ENVIRONMENT, ...environment },
  });
  child.stdin.end(input);
  const [output, errors] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { code: child.exitCode, output: output + errors };
}

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { runCommand } from './command.js';
import type { Result } from './packed-cli.js';

/** As far as tests read a line of AUDIT_LOG. */
export interface AuditLine {
  readonly class_uid: number;
  readonly activity_id: number;
  readonly metadata: { uid: string; sequence: number; event_code: string };
  readonly unmapped: { kb_id?: string };
}

export const linesOf = (text: string) => text.split('\n').slice(0, -1);
export const parsedLines = (text: string) =>
  linesOf(text).map((line) => JSON.parse(line) as AuditLine);

/** What `npm run audit` prints, at the service of this environment. */
export async function auditCommand(
  environment: NodeJS.ProcessEnv,
  command: 'head' | 'keys' | 'new-chain',
): Promise<string> {
  const { code, output } = await runCommand(
    'plugins/audit-stream/audit.command.js',
    environment,
    '',
    command,
  );
  if (code !== 0) throw new Error(`npm run audit -- ${command} failed: ${output}`);
  return output.split('\n')[0] ?? '';
}

/** Runs `latchkey audit verify`. */
export const verifyAudit = (keys: string, ...args: string[]): Promise<Result> =>
  promisify(execFile)(
    process.execPath,
    ['packages/cli/dist/latchkey.js', 'audit', 'verify', ...args],
    { env: { PATH: process.env['PATH'], LATCHKEY_AUDIT_KEYS: keys } },
  ).then(
    (output) => ({ code: 0, ...output }),
    (error: unknown) => error as Result,
  );

import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { inApplication } from '../../operations/application.js';
import { runCommand } from '../../operations/command.js';
import { LeakReportService } from './leak-report.service.js';
import { LEAKED_SECRET, parsePrefix } from '../../api-keys/secret.js';

/** Revokes the API keys in its input, such as a scanner's report or a log. */
await runCommand(async (config) => {
  const secrets = [...new Set((await text(process.stdin)).match(LEAKED_SECRET))];
  await inApplication(config, ['leak-reports'], async (app) => {
    const reporter = { requestId: `command-${randomUUID()}`, ip: '127.0.0.1' };
    const verdicts = await app.get(LeakReportService).report(secrets, reporter);
    for (const { index, status } of verdicts) {
      console.log(`${parsePrefix(secrets[index] ?? '')}…  ${status}`);
    }
    console.log(`${secrets.length} found`);
  });
});

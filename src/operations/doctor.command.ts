import 'reflect-metadata';
import { Config } from '../platform/config/config.js';
import { ConfigurationError } from '../platform/config/configuration-error.js';
import {
  checkDatabase,
  checkEmbeddings,
  checkEmbeddingsModel,
  checkModel,
  checkRecognitionServer,
  checkRedis,
  checkReranker,
  checkService,
} from './doctor/connection-checks.js';
import { type Check, type Finding, problem } from '../platform/plugins/finding.js';
import { checkKeyPolicy } from './doctor/key-policy-check.js';
import {
  checkDataDir,
  checkEnvironment,
  checkPrices,
  checkTelemetry,
} from './doctor/local-checks.js';
import { listEntities, loadPlugins } from '../plugins.js';

// Prints what is wrong with a deployment, as far as it can be seen from here, and changes nothing.
// Run it with the service's own environment, beside the running service or before the first start.

const CHECKS: readonly Check[] = [
  checkEnvironment,
  checkTelemetry,
  checkDataDir,
  checkDatabase,
  checkRedis,
  checkModel,
  checkPrices,
  checkEmbeddings,
  checkReranker,
  checkRecognitionServer,
  checkEmbeddingsModel,
  checkKeyPolicy,
  checkService,
];

const findings = await examine();
for (const { verdict, text } of findings) console.log(`${verdict.padEnd(7)}  ${text}`);
const problems = findings.filter(({ verdict }) => verdict === 'problem').length;
console.log(problems === 0 ? '\nNo problems found.' : `\nProblems: ${problems}`);
process.exitCode = problems === 0 ? 0 : 1;

async function examine(): Promise<Finding[]> {
  try {
    const config = Config.fromEnvironment(process.env);
    const plugins = await loadPlugins(config);
    const checks = [...CHECKS, ...plugins.flatMap(({ doctorChecks = [] }) => doctorChecks)];
    const found = await Promise.all(
      checks.map(async (check) => check(config, listEntities(plugins))),
    );
    return found.flat();
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return error.message.split('\n').map(problem);
  }
}

import { accessSync, constants, existsSync, statfsSync } from 'node:fs';
import { ConfigurationError } from '../../platform/config/configuration-error.js';
import { Environment } from '../../platform/config/environment.js';
import { SECRETS } from '../../platform/config/validators.js';
import { findOpenToOthers } from '../../platform/database/private-files.js';
import { readTelemetrySettings } from '../../platform/telemetry/telemetry-settings.js';
import { EXTRACTIVE } from '../../knowledge-bases/settings/models.js';
import { type Check, ok, problem, warning } from '../../platform/plugins/finding.js';

const LITTLE_SPACE_BYTES = 1024 ** 3;

export const checkEnvironment: Check = (config) => {
  const warnings = {
    'NODE_ENV is not production: the requirements for production are not checked.':
      config.NODE_ENV !== 'production',
    'DASHBOARD_AUTH_MODE is trust: anybody who reaches the port can act as any user.':
      config.dashboardAuth.mode === 'trust',
    'API_KEY_PEPPERS is not set: the pepper is kept in DATA_DIR. Keep a copy, and give it to every process that has another DATA_DIR.':
      config.API_KEY_PEPPERS === undefined,
    'API_KEY_BCRYPT_COST is below 10: guessing secrets from a stolen database becomes cheaper.':
      config.API_KEY_BCRYPT_COST < 10,
    'WEBHOOK_ALLOW_PRIVATE is yes: users who may create webhooks can send requests to this machine and its network.':
      config.WEBHOOK_ALLOW_PRIVATE === 'yes',
    'SOURCE_ALLOW_PRIVATE is yes: users who may connect sources can read from this machine and its network.':
      config.SOURCE_ALLOW_PRIVATE === 'yes',
    'TRUSTED_ISSUER_ALLOW_PRIVATE is yes: users who may create API keys can send requests to this machine and its network.':
      config.TRUSTED_ISSUER_ALLOW_PRIVATE === 'yes',
    'SECURITY_CONTACT is not set: people who find a vulnerability do not know whom to tell.':
      config.SECURITY_CONTACT === undefined,
  };
  return [
    ok(`The environment is valid. Variables set: ${describeSet(config)}.`),
    ...Object.entries(warnings).flatMap(([text, holds]) => (holds ? [warning(text)] : [])),
  ];
};

/** Describes the variables that differ from their defaults, with their values unless they are secret. */
function describeSet(config: Environment): string {
  const defaults = new Environment();
  const given = (Object.keys(defaults) as (keyof Environment)[])
    .filter((name) => config[name] !== undefined && String(config[name]) !== String(defaults[name]))
    .map((name) => (SECRETS.has(name) ? `${name} (secret)` : `${name}=${String(config[name])}`));
  return given.join(', ') || 'none (defaults only)';
}

/** Checks that each model has a price: without one, budgets of money are never used up. */
export const checkPrices: Check = ({ model, LLM_PRICES }) => {
  if (!model) return [];
  if (!LLM_PRICES) {
    return [ok('LLM_PRICES is not set: answers cost 0, and no budget of money is ever used up.')];
  }
  const missing = [...new Set(model.models)].filter(
    (name) => name !== EXTRACTIVE && !LLM_PRICES.has(name),
  );
  return missing.length > 0
    ? [warning(`LLM_PRICES has no price of ${missing.join(', ')}: its answers cost 0.`)]
    : [ok('LLM_PRICES has a price of each model.')];
};

export const checkTelemetry: Check = () => {
  try {
    readTelemetrySettings(process.env);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return [problem(error.message)];
  }
};

export const checkDataDir: Check = ({ DATA_DIR }) => {
  if (!existsSync(DATA_DIR))
    return [ok('DATA_DIR does not exist yet: the first start creates it.')];
  try {
    accessSync(DATA_DIR, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return [problem('DATA_DIR cannot be written by the user that runs this.')];
  }
  const { bavail, bsize } = statfsSync(DATA_DIR);
  const open = findOpenToOthers(DATA_DIR).length;
  return [
    bavail * bsize < LITTLE_SPACE_BYTES
      ? warning('DATA_DIR has less than 1 GiB of free space.')
      : ok('DATA_DIR can be written and has space.'),
    open > 0
      ? problem(
          `Other users of this machine can reach DATA_DIR or files in it (${open}): the next start closes what belongs to its user; \`chmod -R go= "$DATA_DIR"\` closes all.`,
        )
      : ok('No other user of this machine can reach what is in DATA_DIR.'),
  ];
};

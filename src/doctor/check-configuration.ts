import { vectorExtensionProblem } from '../search/sqlite/vector-extension.js';
import { type Check, ok, problem, warning } from './finding.js';

export const checkEnvironment: Check = (config) => {
  const warnings: [when: boolean, text: string][] = [
    [
      process.env['NODE_ENV'] !== 'production',
      'NODE_ENV is not production: what production demands is not asked for.',
    ],
    [
      config.dashboardAuth.mode === 'trust',
      'DASHBOARD_AUTH_MODE is trust: whoever reaches the port can be any user.',
    ],
    [
      config.apiKeyPeppers === undefined,
      'API_KEY_PEPPERS is not set: the pepper is kept in DATA_DIR. Keep a copy, and give it to every process that has another DATA_DIR.',
    ],
    [
      config.apiKeyBcryptCost < 10,
      'API_KEY_BCRYPT_COST is below 10: guessing secrets from a stolen database is cheaper.',
    ],
    [
      config.securityContact === undefined,
      'SECURITY_CONTACT is not set: whoever finds a weakness does not know whom to tell.',
    ],
  ];
  return [
    ok('The environment is well-formed.'),
    ...warnings.flatMap(([when, text]) => (when ? [warning(text)] : [])),
  ];
};

export const checkVectorExtension: Check = (config) => {
  const text = vectorExtensionProblem(config);
  return text === undefined ? [] : [problem(text)];
};

import { describe, expect, it } from '@jest/globals';
import { Config } from './config.js';
import { ConfigurationError } from './configuration-error.js';

const PEPPERS = `p1:${Buffer.alloc(32, 7).toString('base64')}`;
const SECRET = 'gateway-secret-0123456789-abcdefghij';
const GATEWAY = {
  DASHBOARD_AUTH_MODE: 'gateway',
  TRUSTED_PROXY_CIDRS: '127.0.0.1',
  GATEWAY_SECRETS: SECRET,
};
const OIDC = {
  DASHBOARD_AUTH_MODE: 'oidc',
  OIDC_ISSUER: 'https://idp.example.com',
  OIDC_AUDIENCE: 'latchkey',
};
const EVERYBODY = [
  '0.0.0.0/0',
  '192.0.2.7/0',
  '::/0',
  '::ffff:0.0.0.0/96',
  '::ffff:0:0/96',
  '::/8',
];

/** What stops the start: main.ts prints the message alone, and exits with 1. */
function refusalOf(environment: NodeJS.ProcessEnv): string {
  try {
    Config.fromEnvironment(environment);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message;
    throw error;
  }
  throw new Error('The configuration is taken');
}

describe('the start', () => {
  it.each([
    ['in production without a mode', { NODE_ENV: 'production' }],
    ['in production with trust', { NODE_ENV: 'production', DASHBOARD_AUTH_MODE: 'trust' }],
    ['with trust on every address', { DASHBOARD_AUTH_MODE: 'trust', HOST: '0.0.0.0' }],
    ['with trust on every IPv6 address', { DASHBOARD_AUTH_MODE: 'trust', HOST: '::' }],
    ['with trust on a network address', { DASHBOARD_AUTH_MODE: 'trust', HOST: '192.0.2.1' }],
    ['with trust on a name like loopback', { HOST: '127.attacker.example' }],
    ['without a mode on every address', { HOST: '0.0.0.0' }],
    ['with an opt-in that says no', { HOST: '0.0.0.0', DASHBOARD_AUTH_TRUST_UNSAFE: 'no' }],
  ])('is refused %s, and the reason is told', (_, environment) => {
    const message = refusalOf({ API_KEY_PEPPERS: PEPPERS, ...environment });
    expect(message).toContain('DASHBOARD_AUTH_MODE');
  });

  it.each([
    ['PORT', '70123'],
    ['PORT', 'not-a-port'],
    ['NODE_ENV', 'staging-7'],
    ['LOG_LEVEL', 'chatty-7'],
    ['DASHBOARD_AUTH_MODE', 'everybody-7'],
    ['DASHBOARD_AUTH_TRUST_UNSAFE', 'perhaps-7'],
    ['API_KEY_BCRYPT_COST', '99'],
    ['WEBHOOK_ALLOW_PRIVATE', 'perhaps-7'],
    ['CONTENT_STORE', 'ftp://bucket-7'],
    ['AUDIT_LOG', 'file-7'],
    ['AUDIT_LOG', 's3://key:secret-7@bucket'],
    ['AUDIT_LOG', 'syslog://127.0.0.1'],
    ['CONTENT_STORE', 's3://key:secret-7@bucket'],
    ['CONTENT_STORE', 's3://bucket/../other-7'],
    ['CONTENT_STORE_ENDPOINT', 'http://user:secret-7@127.0.0.1'],
    ['KEY_POLICY_REQUIRE_EXPIRY', 'production-7'],
    ['KEY_POLICY_REQUIRE_ADDRESSES', 'live;test'],
    // All that is refused: model-prices.spec.ts.
    ['LLM_PRICES', '{"m": 1}'],
  ])('is refused with a bad %s, which is named, its value not', (variable, value) => {
    const message = refusalOf({ [variable]: value });
    expect(message).toContain(variable);
    expect(message).not.toContain(value);
  });

  it('is refused with one line for each variable, which says the most basic of what is wrong', () => {
    const message = refusalOf({
      NODE_ENV: 'production',
      PORT: 'not-a-port',
      LLM_BASE_URL: 'https://llm.example.com/v1',
    });
    expect(message.split('\n')).toEqual([
      'PORT must be an integer number',
      'API_KEY_PEPPERS must be given in production',
      'LLM_MODEL must be given with LLM_BASE_URL',
    ]);
  });

  it.each([
    ...['0', '-1', 'ever', '36501'].map((days) => ['AUDIT_RETENTION_DAYS', days]),
    ['KEY_POLICY_MAX_AGE_DAYS', '0'],
    ...['http://192.0.2.1/keys', 'ftp://localhost/keys', 'nonsense'].map((url) => [
      'GITHUB_SECRET_SCANNING_KEYS_URL',
      url,
    ]),
  ])('is refused with %s=%s', (variable = '', value = '') => {
    expect(refusalOf({ [variable]: value })).toContain(variable);
  });

  it.each([
    '0.0.0.0/0',
    '::/0',
    '0.0.0.0/00',
    '10.0.0.0/8,0.0.0.0/0',
    '::ffff:0.0.0.0/96',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/8,',
    '10.0.0.0/8 192.168.0.0/16',
    'loopback',
    'true',
    '1',
    'proxy.internal',
  ])('is refused with the proxies %s, which are not repeated', (value) => {
    const message = refusalOf({ TRUSTED_PROXY_CIDRS: value });
    expect(message).toMatch(/^TRUSTED_PROXY_CIDRS must [^\n]*$/);
    if (value.length > 4) expect(message).not.toContain(value);
  });

  it.each<[string, string, NodeJS.ProcessEnv]>([
    ['gateway without proxies', 'TRUSTED_PROXY_CIDRS', { ...GATEWAY, TRUSTED_PROXY_CIDRS: '' }],
    [
      'gateway with a secret that no header can carry',
      'GATEWAY_SECRETS',
      { ...GATEWAY, GATEWAY_SECRETS: `${SECRET}ü` },
    ],
    ['gateway without secrets', 'GATEWAY_SECRETS', { ...GATEWAY, GATEWAY_SECRETS: '' }],
    [
      'an object store without a secret',
      'AWS_SECRET_ACCESS_KEY',
      { CONTENT_STORE: 's3://bucket/prefix', AWS_ACCESS_KEY_ID: 'AKID' },
    ],
    [
      'an audit log in an object store without a secret',
      'AWS_SECRET_ACCESS_KEY',
      { AUDIT_LOG: 's3://bucket/audit', AWS_ACCESS_KEY_ID: 'AKID' },
    ],
    ['a scope of the audit log without one', 'AUDIT_SCOPE', { AUDIT_SCOPE: 'sign_ins' }],
    [
      'an unknown scope of the audit log',
      'AUDIT_SCOPE',
      { AUDIT_LOG: 'stdout', AUDIT_SCOPE: 'sign_ins,everything-7' },
    ],
    [
      'gateway with a secret of 31 bytes',
      'GATEWAY_SECRETS',
      { ...GATEWAY, GATEWAY_SECRETS: SECRET.slice(0, 31) },
    ],
    [
      'gateway with one short secret of two',
      'GATEWAY_SECRETS',
      { ...GATEWAY, GATEWAY_SECRETS: `${SECRET},too-short-7` },
    ],
    [
      'gateway with an empty secret beside another',
      'GATEWAY_SECRETS',
      { ...GATEWAY, GATEWAY_SECRETS: `${SECRET},` },
    ],
    [
      'gateway with a proxy by name',
      'TRUSTED_PROXY_CIDRS',
      { ...GATEWAY, TRUSTED_PROXY_CIDRS: 'proxy.internal-7' },
    ],
    ['oidc without an issuer', 'OIDC_ISSUER', { ...OIDC, OIDC_ISSUER: '' }],
    ['oidc without an audience', 'OIDC_AUDIENCE', { ...OIDC, OIDC_AUDIENCE: '' }],
    ...[
      'https://kb.example.com/x/mcp',
      'https://kb.example.com/x/mcp/',
      'HTTPS://KB.example.com:443/x/mcp',
    ].map((audience): [string, string, NodeJS.ProcessEnv] => [
      `oidc with ${audience}, which is the audience of agents,`,
      'OIDC_AUDIENCE',
      { ...OIDC, OIDC_AUDIENCE: audience, PUBLIC_URL: 'https://kb.example.com/x/' },
    ]),
    [
      'oidc with an http issuer elsewhere',
      'OIDC_ISSUER',
      { ...OIDC, OIDC_ISSUER: 'http://idp.example.com' },
    ],
    [
      'oidc with an http issuer that only looks local',
      'OIDC_ISSUER',
      { ...OIDC, OIDC_ISSUER: 'http://127.0.0.1@idp.example.com' },
    ],
    [
      'oidc with keys over http from elsewhere',
      'OIDC_JWKS_URL',
      { ...OIDC, OIDC_JWKS_URL: 'http://idp.example.com/jwks' },
    ],
    [
      'oidc with keys from a file',
      'OIDC_JWKS_URL',
      { ...OIDC, OIDC_JWKS_URL: 'file:///etc/jwks.json' },
    ],
    ...EVERYBODY.map((range): [string, string, NodeJS.ProcessEnv] => [
      `gateway with ${range}, which is everybody,`,
      'TRUSTED_PROXY_CIDRS',
      { ...GATEWAY, TRUSTED_PROXY_CIDRS: `10.0.0.0/8,${range}` },
    ]),
  ])('is refused for %s in one line that names %s', (_, variable, environment) => {
    const message = refusalOf(environment);
    expect(message).not.toContain('\n');
    expect(message).toContain(variable);
    for (const value of [SECRET, 'too-short-7', 'proxy.internal-7', 'idp.example.com']) {
      expect(message).not.toContain(value);
    }
  });

  it.each([
    'http://u:secret-7@one.example:9200',
    'https://one.example,u:secret-7@two.example',
    'https://u:secret-7@one.example/path',
    'https://u:secret-7@one.example?x=1',
    'https://u:secret-7%@one.example',
    'https://u:secret-7%E0%A4@one.example',
  ])('refuses a search engine at %s', (SEARCH_URL) => {
    const message = refusalOf({ SEARCH_URL });
    expect(message).toMatch(/^SEARCH_URL must list/);
    expect(message).not.toContain('secret-7');
  });

  it('is refused with a local model beside an endpoint', () => {
    const message = refusalOf({
      EMBEDDINGS_BASE_URL: 'http://127.0.0.1:9/v1',
      EMBEDDINGS_MODEL: 'any',
      EMBEDDINGS_MODEL_PATH: '/models/any',
    });
    expect(message).toBe('EMBEDDINGS_MODEL_PATH cannot be given with EMBEDDINGS_BASE_URL');
  });

  it.each([{ NODE_ENV: 'production', API_KEY_PEPPERS: PEPPERS }, { HOST: '0.0.0.0' }])(
    'takes trust with %j when that is asked for in words',
    (environment) => {
      const unsafe = { DASHBOARD_AUTH_MODE: 'trust', DASHBOARD_AUTH_TRUST_UNSAFE: 'yes' };
      const { dashboardAuth } = Config.fromEnvironment({ ...unsafe, ...environment });
      expect(dashboardAuth).toMatchObject({ mode: 'trust' });
    },
  );

  it.each([
    ['gateway', { ...GATEWAY, DASHBOARD_AUTH_TRUST_UNSAFE: 'yes' }],
    ['oidc', { ...OIDC, DASHBOARD_AUTH_TRUST_UNSAFE: 'yes' }],
    ['trust', { ...GATEWAY, ...OIDC, DASHBOARD_AUTH_MODE: 'trust' }],
  ])('takes %s at its word: no other mode stands in', (mode, environment) => {
    expect(Config.fromEnvironment(environment).dashboardAuth).toMatchObject({ mode });
  });

  it.each(['http://127.0.0.1:9', 'http://localhost:9', 'http://[::1]:9'])(
    'takes the http issuer %s, which is this machine',
    (issuer) => {
      const { dashboardAuth } = Config.fromEnvironment({ ...OIDC, OIDC_ISSUER: issuer });
      expect(dashboardAuth).toMatchObject({ mode: 'oidc', issuer });
    },
  );
});

describe('the configuration', () => {
  it('lets a request wait less than two seconds for PostgreSQL by default', () => {
    const { postgres } = Config.fromEnvironment({ DATABASE_URL: 'postgres://localhost/latchkey' });
    expect(postgres).toMatchObject({
      DATABASE_ACQUIRE_TIMEOUT_MS: 1500,
      DATABASE_STATEMENT_TIMEOUT_MS: 1500,
    });
  });
});

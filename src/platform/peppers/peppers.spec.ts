import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { Config } from '../config/config.js';
import { ConfigurationError } from '../config/configuration-error.js';
import { Peppers } from './peppers.js';

const load = (environment: NodeJS.ProcessEnv) => Peppers.load(Config.fromEnvironment(environment));

// What main.ts does with the error is in start.e2e.ts.
describe('API_KEY_PEPPERS', () => {
  const secret = randomBytes(32).toString('base64');

  it('lists the current pepper first', () => {
    const other = randomBytes(32).toString('base64');
    expect(load({ API_KEY_PEPPERS: `new:${secret}, old:${other}` }).ids).toEqual(['new', 'old']);
  });

  it.each([
    `p:${randomBytes(31).toString('base64')}`,
    `:${secret}`,
    `p:${secret},`,
    `,p:${secret}`,
    `p:${secret} q:${secret}`,
    `p:${secret},p:${randomBytes(32).toString('base64')}`,
    `p q:${secret}`,
    `${'p'.repeat(33)}:${secret}`,
    `p:${secret}:${secret}`,
    `p:${'ä'.repeat(40)}`,
    `p:"${secret}"`,
    secret,
    'no-id-in-front-of-this-one',
    `p1:${secret},p1:${secret}`,
  ])('%s stops the start, and is not repeated', (value) => {
    let refusal: unknown;
    try {
      load({ API_KEY_PEPPERS: value });
    } catch (error) {
      refusal = error;
    }
    expect(refusal).toBeInstanceOf(ConfigurationError);
    const { message } = refusal as ConfigurationError;
    expect(message).toMatch(/\bAPI_KEY_PEPPERS must /);
    const words = value.split(/[:, ]/).filter((word) => word.length > 30);
    expect(words.filter((word) => message.includes(word))).toEqual([]);
  });

  it.each([undefined, ''])('must be given in production: not %j', (value) => {
    const environment = {
      NODE_ENV: 'production',
      DASHBOARD_AUTH_MODE: 'trust',
      DASHBOARD_AUTH_TRUST_UNSAFE: 'yes',
      ...(value === undefined ? {} : { API_KEY_PEPPERS: value }),
    };
    expect(() => load(environment)).toThrow(ConfigurationError);
    expect(() => load(environment)).toThrow(/\bAPI_KEY_PEPPERS must /);
  });
});

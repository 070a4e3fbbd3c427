import { describe, expect, it } from '@jest/globals';
import { ConfigurationError } from '../config/configuration-error.js';
import { choosePlugins } from './choose-plugins.js';

const KNOWN = ['alpha', 'beta', 'gamma-ray'];

describe(choosePlugins, () => {
  it.each([
    [[], KNOWN],
    [['none'], []],
    [['beta'], ['beta']],
    [
      ['gamma-ray', 'alpha'],
      ['alpha', 'gamma-ray'],
    ],
    [['-beta'], ['alpha', 'gamma-ray']],
    [['-alpha', '-beta', '-gamma-ray'], []],
  ])('reads %j as %j', (given, chosen) => {
    expect(choosePlugins(KNOWN, given)).toEqual(chosen);
  });

  it.each([
    [['delta'], 'PLUGINS names delta, but the plugins are: alpha, beta, gamma-ray'],
    [['-delta', 'Beta'], 'PLUGINS names Beta, delta, but the plugins are: alpha, beta, gamma-ray'],
    [['-'], 'PLUGINS names nothing after -, but the plugins are: alpha, beta, gamma-ray'],
    [['alpha', 'beta', '-beta'], 'PLUGINS must not name both beta and -beta'],
    [['none', 'alpha'], 'PLUGINS must not name other plugins beside none'],
    [['-none'], 'PLUGINS names none, but the plugins are: alpha, beta, gamma-ray'],
  ])('refuses %j', (given, message) => {
    expect(() => choosePlugins(KNOWN, given)).toThrow(new ConfigurationError(message));
  });
});

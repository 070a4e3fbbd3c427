import { describe, expect, it } from '@jest/globals';
import { ConfigurationError } from '../config/configuration-error.js';
import { requireSupportedVersion } from './server-version.js';

describe(requireSupportedVersion.name, () => {
  it.each([
    [90624, 'PostgreSQL 9'],
    [120022, 'PostgreSQL 12'],
    [130000, 'PostgreSQL 13'],
    [140019, 'PostgreSQL 14'],
  ])('refuses %d, naming the version and the one that is needed', (version, name) => {
    const check = () => {
      requireSupportedVersion(version);
    };
    expect(check).toThrow(ConfigurationError);
    expect(check).toThrow(`${name}; Latchkey needs 15 or later`);
  });

  it.each([150000, 150018, 160004, 180001, 190000])('takes %d', (version) => {
    expect(() => {
      requireSupportedVersion(version);
    }).not.toThrow();
  });
});

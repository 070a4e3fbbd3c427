import { expect, it } from '@jest/globals';
import { Config } from '../platform/config/config.js';
import { ConfigurationError } from '../platform/config/configuration-error.js';
import { inApplication } from './application.js';

it('names the plugin that a command needs, if it does not run', async () => {
  const config = Config.fromEnvironment({
    PLUGINS: '-leak-reports',
    DATA_DIR: '/dev/null/missing',
  });
  const run = inApplication(config, ['leak-reports'], () => Promise.resolve());
  await expect(run).rejects.toThrow(
    new ConfigurationError('This command needs the plugin leak-reports, which PLUGINS leaves out'),
  );
});

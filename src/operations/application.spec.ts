import { expect, it } from '@jest/globals';
import { Config } from '../platform/config/config.js';
import { ConfigurationError } from '../platform/config/configuration-error.js';
import { inApplication } from './application.js';

it('names the plugin that a command needs, if it does not run', async () => {
  const config = Config.fromEnvironment({ PLUGINS: 'none', DATA_DIR: '/dev/null/missing' });
  const run = inApplication(config, ['some-plugin'], () => Promise.resolve());
  await expect(run).rejects.toThrow(
    new ConfigurationError('This command needs the plugin some-plugin, which PLUGINS leaves out'),
  );
});

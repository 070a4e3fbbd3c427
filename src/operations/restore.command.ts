import 'reflect-metadata';
import { resolve } from 'node:path';
import { runCommand } from './command.js';
import { ConfigurationError } from '../platform/config/configuration-error.js';
import { loadAllPlugins } from '../plugins.js';
import { restore } from './backup.js';

/** `npm run restore -- FILE` restores the embedded database from a backup. */
await runCommand(async (config) => {
  const [, , file] = process.argv;
  if (!file) throw new ConfigurationError('Usage: npm run restore -- FILE');
  await restore(config, resolve(file), await loadAllPlugins());
  console.log(`${config.DATA_DIR} was restored from ${resolve(file)}; start the service`);
});

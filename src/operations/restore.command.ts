import 'reflect-metadata';
import { resolve } from 'node:path';
import { runCommand } from './command.js';
import { ConfigurationError } from '../platform/config/configuration-error.js';
import { restore } from './backup.js';

/** `npm run restore -- FILE` restores the embedded database from a backup. */
await runCommand(async (config) => {
  const [, , file] = process.argv;
  if (!file) throw new ConfigurationError('Say which file to restore: npm run restore -- FILE');
  await restore(config, resolve(file));
  console.log(`${config.DATA_DIR} is as it was when ${resolve(file)} was made; start the service`);
});

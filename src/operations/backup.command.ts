import 'reflect-metadata';
import { resolve } from 'node:path';
import { runCommand } from './command.js';
import { ConfigurationError } from '../platform/config/configuration-error.js';
import { backUp } from './backup.js';

/** `npm run backup -- FILE` writes a backup of the embedded database. Services may be running. */
await runCommand(async (config) => {
  const [, , file] = process.argv;
  if (!file) throw new ConfigurationError('Usage: npm run backup -- FILE');
  const { files, missingOriginals } = await backUp(config, resolve(file));
  console.log(`${resolve(file)} holds ${['the database', ...files].join(' and ')}, checked`);
  if (missingOriginals > 0) {
    console.log(
      `${missingOriginals} documents were replaced or deleted during the backup; their former originals are not included`,
    );
  }
  if (config.API_KEY_PEPPERS !== undefined) {
    console.log('API_KEY_PEPPERS is not included: keep a copy of its value elsewhere');
  }
});

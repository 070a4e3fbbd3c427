import { accessSync, constants, existsSync, statfsSync } from 'node:fs';
import { openToOthers } from '../database/private-files.js';
import { type Check, ok, problem, warning } from './finding.js';

const LITTLE_SPACE_BYTES = 1024 ** 3;

export const checkDataDir: Check = ({ dataDir }) => {
  if (!existsSync(dataDir)) return [ok('DATA_DIR is not there yet: the first start makes it.')];
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return [problem('DATA_DIR cannot be written by the user that runs this.')];
  }
  const { bavail, bsize } = statfsSync(dataDir);
  const open = openToOthers(dataDir).length;
  return [
    bavail * bsize < LITTLE_SPACE_BYTES
      ? warning('DATA_DIR has less than 1 GiB of free space.')
      : ok('DATA_DIR can be written and has space.'),
    open > 0
      ? problem(
          `Other users of this machine can reach DATA_DIR or files in it (${open}): the next start closes what belongs to its user; \`chmod -R go= "$DATA_DIR"\` closes all.`,
        )
      : ok('No other user of this machine can reach what is in DATA_DIR.'),
  ];
};

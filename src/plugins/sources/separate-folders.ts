import { ClosedPlaces } from '@latchkey/sources/closed-places';
import type { Config } from '../../platform/config/config.js';
import { ConfigurationError } from '../../platform/config/configuration-error.js';

/** Lists the paths that no source may read, by the variable that names them. */
const mapClosedPaths = ({ DATA_DIR, AUDIT_LOG = '' }: Config) =>
  new Map([
    ['DATA_DIR', DATA_DIR],
    ...(AUDIT_LOG.startsWith('file:') ? [['AUDIT_LOG', AUDIT_LOG.slice(5)] as const] : []),
  ]);

export const closedPaths = (config: Config): string[] => [...mapClosedPaths(config).values()];

/** @throws ConfigurationError if a folder of SOURCE_FOLDERS contains data of the service, or is inside it */
export async function requireSeparateFolders(config: Config): Promise<void> {
  for (const [name, path] of mapClosedPaths(config)) {
    const closed = await ClosedPlaces.find([path]);
    for (const folder of config.SOURCE_FOLDERS) {
      if (!(await closed.overlap(folder))) continue;
      throw new ConfigurationError(
        `SOURCE_FOLDERS must not overlap with ${name}: one of ${folder} and ${path} is inside the other (by real path), so sources could read the service's secrets. Move one of them.`,
      );
    }
  }
}

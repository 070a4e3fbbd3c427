import { ClosedPlaces } from '@latchkey/sources/closed-places';
import type { Config } from '../../platform/config/config.js';
import { ConfigurationError } from '../../platform/config/configuration-error.js';

/** What no source may read, by the variable that names it. */
const closedPathsOf = ({ DATA_DIR, AUDIT_LOG = '' }: Config) =>
  new Map([
    ['DATA_DIR', DATA_DIR],
    ...(AUDIT_LOG.startsWith('file:') ? [['AUDIT_LOG', AUDIT_LOG.slice(5)] as const] : []),
  ]);

export const closedPaths = (config: Config): string[] => [...closedPathsOf(config).values()];

/** @throws ConfigurationError if a folder of SOURCE_FOLDERS has data of the service in it, or is in them */
export async function requireSeparateFolders(config: Config): Promise<void> {
  for (const [name, path] of closedPathsOf(config)) {
    const closed = await ClosedPlaces.find([path]);
    for (const folder of config.SOURCE_FOLDERS) {
      if (!(await closed.overlap(folder))) continue;
      throw new ConfigurationError(
        `SOURCE_FOLDERS must not overlap with ${name}: ${folder} and ${path} are one in the other, by real path. Sources could read the secrets of the service; move one of them.`,
      );
    }
  }
}

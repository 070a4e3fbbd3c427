import { existsSync, readFileSync } from 'node:fs';

const LIST = 'packages/tsconfig.json';

/**
 * The packages that the service is made of, each below `packages`; none where there are no sources.
 *
 * @returns {string[]}
 */
export const libraries = () =>
  existsSync(LIST)
    ? JSON.parse(readFileSync(LIST, 'utf8')).references.map(
        (/** @type {{ path: string }} */ { path }) => path,
      )
    : [];

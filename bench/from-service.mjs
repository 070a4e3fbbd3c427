/**
 * A built module of the service. By a computed name, so that type checking does not need the build.
 *
 * @param {string} path below `src`
 * @returns {Promise<any>}
 */
export const fromService = (path) => import(new URL(`../dist/src/${path}`, import.meta.url).href);

/** Set by the groups `every`, `thorough` and `attacks` of `scripts/test.mjs`. */
export const isThorough = process.env['LATCHKEY_TEST_THOROUGH'] !== undefined;

/**
 * How often to repeat what may go wrong once in a thousand times.
 *
 * @param usual in a run that people wait for
 * @param thorough in CI and before a release
 */
export const repetitions = (usual: number, thorough: number): number =>
  isThorough ? thorough : usual;

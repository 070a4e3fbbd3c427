import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const { schemas } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../openapi.json'), 'utf8'),
).components;

/** @param {{ $ref?: string }} schema */
export const resolved = (schema) => (schema.$ref ? schemas[schema.$ref.split('/').at(-1)] : schema);

/**
 * The schemas of the settings that an object of openapi.json has, by their names, without references.
 *
 * @param {string} name
 * @returns {Record<string, Record<string, unknown>>}
 */
export function settingsOf(name) {
  const { allOf = [], properties = {} } = schemas[name];
  const fields = [...allOf.map(resolved), { properties }].flatMap((one) =>
    Object.entries(one.properties),
  );
  return Object.fromEntries(fields.map(([field, schema]) => [field, resolved(schema)]));
}

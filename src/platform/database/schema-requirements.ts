import type { QueryRunner } from 'typeorm';

/** Names the migrations that a version must have to run on this schema. */
export const REQUIREMENTS_TABLE = 'schema_requirements';

/**
 * Called by a migration that contracts the schema: it removes or narrows what versions without
 * `migration` still use. They do not start from then on. A migration that only expands the schema does
 * not call this, and the version before it keeps running on the new schema.
 *
 * @param migration the name of an earlier one: versions that have it do not use what is removed
 */
export async function requireMigration(runner: QueryRunner, migration: string): Promise<void> {
  await runner.manager
    .createQueryBuilder(runner)
    .insert()
    .into(REQUIREMENTS_TABLE)
    .values({ migration })
    // Several migrations may require the same one.
    .orIgnore()
    .execute();
}

/** @returns whether a version that has the migrations `known` can run on the schema */
export async function canRunOn(
  runner: QueryRunner,
  executed: readonly string[],
  known: ReadonlySet<string>,
): Promise<boolean> {
  if (executed.every((name) => known.has(name))) return true;
  const requirements = (await runner.query(`SELECT migration FROM ${REQUIREMENTS_TABLE}`)) as {
    migration: string;
  }[];
  return requirements.every(({ migration }) => known.has(migration));
}

import { existsSync } from 'node:fs';
import { sqlKeyStatus } from '../../api-keys/api-key-status.js';
import { ApiKey } from '../../api-keys/api-key.entity.js';
import { WITH_SECRET } from '../../api-keys/find-api-key.js';
import { whereViolating } from '../../api-keys/key-policy.js';
import { entities } from '../../entities.js';
import { dataSourceOptions, sqliteFile } from '../../platform/database/data-source-options.js';
import { EngineDataSource } from '../../platform/database/engine-data-source.js';
import { type Check, ok, warning } from '../../platform/plugins/finding.js';

/** Counts active keys that do not meet the policy. */
export const checkKeyPolicy: Check = async (config) => {
  const hasPolicy =
    config.KEY_POLICY_MAX_AGE_DAYS !== undefined ||
    config.KEY_POLICY_REQUIRE_EXPIRY.length > 0 ||
    config.KEY_POLICY_REQUIRE_ADDRESSES.length > 0;
  if (!hasPolicy || (!config.postgres && !existsSync(sqliteFile(config)))) return [];
  const dataSource = new EngineDataSource(dataSourceOptions(config, 'read', entities));
  try {
    await dataSource.initialize();
    const keys = dataSource.getRepository(ApiKey).createQueryBuilder('key');
    keys.where(WITH_SECRET).andWhere(`${sqlKeyStatus('key', dataSource)} = 'usable'`);
    const count = await whereViolating(keys, config, dataSource).getCount();
    if (count === 0) return [ok('All API keys meet the policy (KEY_POLICY_…).')];
    return [
      warning(
        `API keys that do not meet the policy (KEY_POLICY_…): ${count}. Lists show them with policy_violations.`,
      ),
    ];
  } catch {
    // There is no database, or it is of another version; the database check reports that.
    return [];
  } finally {
    if (dataSource.isInitialized) await dataSource.destroy();
  }
};

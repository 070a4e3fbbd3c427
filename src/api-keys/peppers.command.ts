import 'reflect-metadata';
import { getDataSourceToken } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { runCommand } from '../command.js';
import { ApiKey } from './api-key.entity.js';
import { Peppers } from './peppers.js';

/** Tells how many keys still hang on which pepper: when none does, the pepper can go. */
await runCommand(async (app) => {
  const keys = await app
    .get<DataSource>(getDataSourceToken())
    .getRepository(ApiKey)
    .createQueryBuilder('key')
    .select('key.pepperId', 'pepper')
    .addSelect(`SUM(CASE WHEN key.state = 'active' THEN 1 ELSE 0 END)`, 'active')
    .addSelect(`SUM(CASE WHEN key.state = 'active' THEN 0 ELSE 1 END)`, 'deactivated')
    .groupBy('key.pepperId')
    .getRawMany<{ pepper: string; active: number; deactivated: number }>();
  const [current, ...previous] = app.get(Peppers).ids;
  const counts = new Map(keys.map((row) => [row.pepper, row]));
  const ids = new Set([...(current ? [current] : []), ...previous, ...counts.keys()]);
  console.table(
    [...ids].map((id) => ({
      pepper: id,
      given: id === current ? 'current' : previous.includes(id) ? 'previous' : 'missing',
      active_keys: counts.get(id)?.active ?? 0,
      deactivated_keys: counts.get(id)?.deactivated ?? 0,
    })),
  );
});

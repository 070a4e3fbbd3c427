import { freePort, createDatabase } from './postgres.mjs';
import { startReplicatedPostgres } from './postgres-standby.mjs';
import { Service } from './service.js';

type Replicated = Awaited<ReturnType<typeof startReplicatedPostgres>>;

/** The environment of a service on a new database of the primary, which reads from the standby. */
export async function replicated({ primary, standby }: Replicated): Promise<NodeJS.ProcessEnv> {
  const DATABASE_URL = await createDatabase(primary.url);
  return {
    ...{ DATABASE_URL, DATABASE_REPLICA_URL: withPort(DATABASE_URL, portOf(standby.url)) },
    ...{ METRICS_PORT: String(await freePort()), WEBHOOK_ALLOW_PRIVATE: 'yes' },
  };
}

export const portOf = (url: string) => Number(new URL(url).port);

export function withPort(url: string, port: number): string {
  const other = new URL(url);
  other.port = String(port);
  return other.href;
}

/** How many reads the replica has answered, or the primary for a reason. */
export async function readsBy(
  { environment }: Service,
  answeredBy: 'replica' | 'behind' | 'unavailable' | 'unrelated',
): Promise<number> {
  const text = await (
    await fetch(`http://127.0.0.1:${environment['METRICS_PORT']}/metrics`)
  ).text();
  const labels =
    answeredBy === 'replica'
      ? 'server="replica",reason=""'
      : `server="primary",reason="${answeredBy}"`;
  const line = text
    .split('\n')
    .find((each) => each.startsWith(`latchkey_replica_reads_total{${labels}}`));
  return Number(line?.split(' ').at(-1));
}

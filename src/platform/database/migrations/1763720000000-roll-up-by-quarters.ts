import { MigrationInterface, QueryRunner, Table } from 'typeorm';

const COUNTERS = [
  ...['queries', 'chats', 'conversations', 'answered', 'unanswered', 'up', 'down'],
  ...['prompt_tokens', 'completion_tokens', 'refused'],
];
const BIGINTS = ['prompt_tokens', 'completion_tokens'];

const table = (name: string, primary: Record<string, string>, columns: Record<string, string>) =>
  new Table({
    name,
    columns: Object.entries({ ...primary, ...columns }).map(([column, type]) => ({
      name: column,
      type,
      isPrimary: column in primary,
    })),
    foreignKeys: [
      {
        columnNames: ['kb_id'],
        referencedTableName: 'knowledge_bases',
        referencedColumnNames: ['id'],
        onDelete: 'CASCADE',
      },
    ],
    withoutRowid: true,
  });

const counters = Object.fromEntries(
  COUNTERS.map((name) => [name, BIGINTS.includes(name) ? 'bigint' : 'integer']),
);

const countsByQuarter = () =>
  table(
    'usage_counts',
    { kb_id: 'varchar', quarter: 'integer', api_key_id: 'varchar' },
    { environment: 'varchar', ...counters, latencies: 'text' },
  );

const countsByGrain = () =>
  table(
    'usage_counts',
    { kb_id: 'varchar', grain: 'integer', quarter: 'integer', api_key_id: 'varchar' },
    { environment: 'varchar', ...counters },
  );

const latenciesByGrain = () =>
  table(
    'usage_latencies',
    {
      ...{ kb_id: 'varchar', grain: 'integer', quarter: 'integer' },
      ...{ api_key_id: 'varchar', bucket: 'integer' },
    },
    { environment: 'varchar', answers: 'integer' },
  );

const KEY = 'kb_id, quarter, api_key_id, environment';
/** Those of the roll-up by hours, six hours and days, which is made of that by quarters. */
const GRAINS = [4, 24, 96];

/**
 * Usage is counted by quarters of an hour alone, with the latencies as a histogram in the same row.
 * What was counted by longer stretches of time is removed, since it is the sum of the quarters.
 */
export class RollUpByQuarters1763720000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await lock(queryRunner, 'usage_counts, usage_latencies');
    await queryRunner.query('CREATE TABLE old_counts AS SELECT * FROM usage_counts');
    await queryRunner.dropTable('usage_counts');
    await queryRunner.createTable(countsByQuarter());
    await queryRunner.query(
      `INSERT INTO usage_counts (${KEY}, ${COUNTERS.join()}, latencies)
       SELECT ${KEY}, ${COUNTERS.join()}, COALESCE(histograms.latencies, '')
       FROM old_counts LEFT JOIN (
         SELECT kb_id AS h_kb_id, quarter AS h_quarter, api_key_id AS h_api_key_id,
           string_agg(bucket || ':' || answers, ',') AS latencies
         FROM usage_latencies WHERE grain = 1 GROUP BY 1, 2, 3
       ) AS histograms
         ON h_kb_id = kb_id AND h_quarter = quarter AND h_api_key_id = api_key_id
       WHERE grain = 1`,
    );
    await queryRunner.query('DROP TABLE old_counts');
    await queryRunner.dropTable('usage_latencies');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await lock(queryRunner, 'usage_counts');
    await queryRunner.query('CREATE TABLE new_counts AS SELECT * FROM usage_counts');
    await queryRunner.dropTable('usage_counts');
    await queryRunner.createTable(countsByGrain());
    await queryRunner.createTable(latenciesByGrain());
    await queryRunner.query(
      `INSERT INTO usage_counts (grain, ${KEY}, ${COUNTERS.join()})
       SELECT 1, ${KEY}, ${COUNTERS.join()} FROM new_counts`,
    );
    // Takes one pair of bucket and answers after the other off the beginning of the text.
    await queryRunner.query(
      `INSERT INTO usage_latencies (grain, ${KEY}, bucket, answers)
       WITH RECURSIVE pairs (${KEY}, pair, rest) AS (
         SELECT ${KEY}, '', latencies || ',' FROM new_counts WHERE latencies <> ''
         UNION ALL
         SELECT ${KEY}, ${before(queryRunner, 'rest', ',')}, ${after(queryRunner, 'rest', ',')}
         FROM pairs WHERE rest <> ''
       )
       SELECT 1, ${KEY}, CAST(${before(queryRunner, 'pair', ':')} AS integer),
         CAST(${after(queryRunner, 'pair', ':')} AS integer)
       FROM pairs WHERE pair <> ''`,
    );
    await queryRunner.query('DROP TABLE new_counts');
    for (const grain of GRAINS) {
      const quarter = `quarter / ${grain} * ${grain}`;
      await queryRunner.query(
        `INSERT INTO usage_counts (grain, quarter, kb_id, api_key_id, environment, ${COUNTERS.join()})
         SELECT ${grain}, ${quarter}, kb_id, api_key_id, environment,
           ${COUNTERS.map((name) => `SUM(${name})`).join()}
         FROM usage_counts WHERE grain = 1 GROUP BY 2, 3, 4, 5`,
      );
      await queryRunner.query(
        `INSERT INTO usage_latencies
           (grain, quarter, kb_id, api_key_id, environment, bucket, answers)
         SELECT ${grain}, ${quarter}, kb_id, api_key_id, environment, bucket, SUM(answers)
         FROM usage_latencies WHERE grain = 1 GROUP BY 2, 3, 4, 5, 6`,
      );
    }
  }
}

/** Otherwise what another process writes between the copy and the drop would be lost. */
async function lock(queryRunner: QueryRunner, tables: string): Promise<void> {
  if (isPostgres(queryRunner)) {
    await queryRunner.query(`LOCK TABLE ${tables} IN ACCESS EXCLUSIVE MODE`);
  }
}

const isPostgres = ({ dataSource }: QueryRunner) => dataSource.options.type === 'postgres';

const position = (queryRunner: QueryRunner, text: string, sign: string) =>
  isPostgres(queryRunner) ? `strpos(${text}, '${sign}')` : `instr(${text}, '${sign}')`;

const before = (queryRunner: QueryRunner, text: string, sign: string) =>
  `substr(${text}, 1, ${position(queryRunner, text, sign)} - 1)`;

const after = (queryRunner: QueryRunner, text: string, sign: string) =>
  `substr(${text}, ${position(queryRunner, text, sign)} + 1)`;

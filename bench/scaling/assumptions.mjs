/**
 * What the model takes for granted: about those who ask, and about the machines. Everything else is
 * measured.
 */
export const ASSUMPTIONS = {
  /** Shares of the requests. */
  mix: { query: 0.8, chat: 0.17, refusedKey: 0.02, list: 0.009, report: 0.001 },
  /** The mean of a year to the rate that the deployment is made for. */
  meanToPeak: 1 / 3,
  documentsPerKnowledgeBase: 100,
  /** Share of the documents that are replaced each day. */
  replacedDaily: 0.01,
  keysPerKnowledgeBase: 2,
  /** Hours of a day in which a key is used. */
  hoursOfUse: 12,
  endUsersDaily: 50,
  /** At the peak, of each process of the service, and of PostgreSQL's cores. */
  targetUtilisation: 0.6,
  coresPerMachine: 16,
  /** Of the largest server for PostgreSQL. */
  databaseCores: 64,
  databaseConnections: 1000,
  walBytesPerSecond: 200e6,
  databaseBytes: 8e12,
  /** The share of it that is used. */
  fullAt: 0.7,
  /** Of one table, beyond which its vacuum takes longer than a day. */
  rowsPerTable: 2e9,
  /** Between the service and PostgreSQL, there and back. */
  roundTripSeconds: 0.0003,
  poolSize: 10,
  recordsKeptDays: 31,
  /** `retention_days` of each knowledge base. */
  conversationsKeptDays: 90,
  /** Bytes of a PDF or an office file with so much text. */
  originalBytes: 100_000,
};

export const DAYS_OF_YEAR = 365;
export const SECONDS_OF_DAY = 24 * 60 * 60;

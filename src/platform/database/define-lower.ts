import type Database from 'better-sqlite3';

/** SQLite's own `lower` changes ASCII letters only. */
export const defineLower = (connection: Database.Database): void => {
  connection.function('lower', { deterministic: true }, (text: unknown) =>
    typeof text === 'string' ? text.toLowerCase() : text,
  );
};

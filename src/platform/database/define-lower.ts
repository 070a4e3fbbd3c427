import type Database from 'better-sqlite3';

/** Replaces SQLite's `lower`, which handles only ASCII letters. */
export const defineLower = (connection: Database.Database): void => {
  connection.function('lower', { deterministic: true }, (text: unknown) =>
    typeof text === 'string' ? text.toLowerCase() : text,
  );
};

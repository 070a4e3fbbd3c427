import type { MetadataFilter } from '@latchkey/ranking/metadata-filter';
import type { PostingBlock } from '@latchkey/ranking/posting-block';

export type IndexValue = string | number | Uint8Array | null;
type MaybePromise<T> = T | Promise<T>;

/** How an engine writes what is not the same SQL on both; parameters are `$1`, `$2` on both. */
export interface IndexDialect {
  /** Restricts a table of the index to the rows of the knowledge base `$1`. */
  readonly ofIndex: string;
  /** What the keys of these tables begin with, with a comma. */
  readonly keyPrefix: string;
  /** A join whose left table is read first, where the engine can be told so. */
  readonly join: string;
  /** Behind the name of `search_blocks`, where the engine is to be told how to count postings. */
  readonly byTerm: string;
  /** Pairs of the lists `$1` and `$2`, as a table `v (document_id, version)`. */
  readonly versions: string;
  /**
   * The blocks `b` of the terms `$2`, of each from the one on in which its number in the list `$3` lies.
   */
  readonly blocksFrom: string;
  /** Locks the documents `d` that a statement reads. */
  readonly lockDocuments: string;
  /** Whether a column is in the list that a parameter is. */
  readonly isIn: (column: string, parameter: string) => string;
  /** A list as the value of a parameter. */
  readonly list: (values: readonly (string | number)[]) => unknown;
  /** Whether the metadata of a document `d` matches; `bind` gives the name of a parameter. */
  readonly matches: (filter: MetadataFilter, bind: (value: string | number) => string) => string;
  /** Which rows of `passage_vectors v` of a knowledge base $1 and a model $2 come after a serial number $3. */
  readonly vectorsAfter: string;
  /** True; may end the statement at the deadline, for rows whose `number` is a multiple of 64. */
  readonly interruptible: (number: string) => string;
}

/** Reads the index of one knowledge base. */
export interface IndexReadStore {
  readonly dialect: IndexDialect;
  /** @throws SearchInterruptedError at the deadline of the search */
  queryUntilDeadline<Row extends object>(sql: string, values: unknown[]): MaybePromise<Row[]>;
  query<Row extends object>(sql: string, values: unknown[]): MaybePromise<Row[]>;
}

/** A table of an index, with the types of its columns on PostgreSQL. */
export interface IndexTable {
  readonly name: string;
  readonly columns: Readonly<Record<string, string>>;
}

export interface TermBlock extends PostingBlock {
  readonly term: string;
}

export interface WrittenBlock extends TermBlock {
  /** Whether there is none yet with this term and first number. */
  readonly isNew: boolean;
}

/** A term, and the lowest and the highest of the numbers that change. */
export interface TermRange {
  readonly term: string;
  readonly first: number;
  readonly last: number;
}

/** Writes the index of one knowledge base, in one transaction. */
export interface IndexStore {
  readonly kbId: string;
  readonly dialect: IndexDialect;
  /** Keeps other writers out until the transaction ends; makes an index that is missing, if it may. */
  lock(mayCreate: boolean): MaybePromise<unknown>;
  query<Row extends object>(sql: string, values: unknown[]): MaybePromise<Row[]>;
  /**
   * @param conflict what is done with a row that is there
   * @returns the column `returning` of the rows that were written
   */
  insert(
    table: IndexTable,
    rows: readonly (readonly IndexValue[])[],
    conflict: string,
    returning?: string,
  ): MaybePromise<readonly IndexValue[]>;
  /** @param key the columns that tell which rows are removed */
  remove(
    table: IndexTable,
    key: readonly string[],
    rows: readonly (readonly IndexValue[])[],
  ): MaybePromise<unknown>;
  /** The blocks of terms in which their numbers lie, in order. */
  blocks(ranges: readonly TermRange[]): MaybePromise<readonly TermBlock[]>;
  putBlocks(blocks: readonly WrittenBlock[]): MaybePromise<unknown>;
}

export const PASSAGES: IndexTable = {
  name: 'search_passages',
  columns: {
    passage_number: 'bigint',
    tokens: 'integer',
    language: 'text',
    codes: 'bytea',
    terms: 'text',
  },
};
export const BLOCKS: IndexTable = {
  name: 'search_blocks',
  columns: { term: 'text', first: 'bigint', postings: 'integer', block: 'bytea' },
};
/**
 * The row of this term, which no text has, says that a search engine has the postings of the index: the
 * other rows then only count the passages of each term, as blocks of NO_POSTINGS whose first number is 0.
 */
export const IN_ENGINE = ' ';
export const NO_POSTINGS = new Uint8Array();
export const LANGUAGES: IndexTable = {
  name: 'search_languages',
  columns: { language: 'text', passages: 'bigint', tokens: 'bigint' },
};
/** What the last transactions have added and removed, as JSON: numbers, and `RemovedPassage`s. */
export const CHANGES: IndexTable = {
  name: 'search_changes',
  columns: { serial: 'bigint', added: 'text', removed: 'text' },
};
export const WORDS: IndexTable = {
  name: 'search_words',
  columns: { term: 'text', word: 'text' },
};
export const SPELLINGS: IndexTable = {
  name: 'search_spellings',
  columns: { key: 'text', word: 'text' },
};

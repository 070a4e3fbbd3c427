import type { MetadataFilter } from '@latchkey/ranking/metadata-filter';
import type { PostingBlock } from '@latchkey/ranking/posting-block';

export type IndexValue = string | number | Uint8Array | null;
type MaybePromise<T> = T | Promise<T>;

/** SQL fragments that differ between the two databases; parameters are `$1`, `$2` on both. */
export interface IndexDialect {
  /** Restricts a table of the index to the rows of the knowledge base `$1`. */
  readonly ofIndex: string;
  /** The leading column of the keys of these tables, with a comma. */
  readonly keyPrefix: string;
  /** A join that reads the left table first, where the database supports that hint. */
  readonly join: string;
  /** A hint after the name of `search_blocks` for counting postings. */
  readonly byTerm: string;
  /** The pairs of the lists `$1` and `$2`, as a table `v (document_id, version)`. */
  readonly versions: string;
  /**
   * The blocks `b` of the terms `$2`, starting for each with the block that contains its number in the
   * list `$3`.
   */
  readonly blocksFrom: string;
  /** Locks the documents `d` that a statement reads. */
  readonly lockDocuments: string;
  /** Checks whether a column is in the list given as a parameter. */
  readonly isIn: (column: string, parameter: string) => string;
  /** Converts a list to a parameter value. */
  readonly list: (values: readonly (string | number)[]) => unknown;
  /**
   * Checks whether the metadata of a document `d` matches; `bind` adds a parameter and returns its
   * name.
   */
  readonly matches: (filter: MetadataFilter, bind: (value: string | number) => string) => string;
  /** Selects rows of `passage_vectors v` of knowledge base $1 and model $2 after serial number $3. */
  readonly vectorsAfter: string;
  /** The present moment, to compare with columns of moments. */
  readonly now: string;
  /** The present moment as text, in an order that is that of time whatever the session's settings are. */
  readonly nowAsText: string;
  /** Converts a parameter, or `now`, that was read as text. */
  readonly moment: (text: string) => string;
  /** Always true; may abort the statement at the deadline, on rows whose `number` is a multiple of 64. */
  readonly interruptible: (number: string) => string;
}

/** Reads the index of one knowledge base. */
export interface IndexReadStore {
  readonly dialect: IndexDialect;
  /** @throws SearchInterruptedError at the deadline of the search */
  queryUntilDeadline<Row extends object>(sql: string, values: unknown[]): MaybePromise<Row[]>;
  query<Row extends object>(sql: string, values: unknown[]): MaybePromise<Row[]>;
}

/** A table of an index, with the PostgreSQL types of its columns. */
export interface IndexTable {
  readonly name: string;
  readonly columns: Readonly<Record<string, string>>;
}

export interface TermBlock extends PostingBlock {
  readonly term: string;
}

export interface WrittenBlock extends TermBlock {
  /** Whether no block with this term and first number exists yet. */
  readonly isNew: boolean;
}

/** A term, with the lowest and highest passage number that changes. */
export interface TermRange {
  readonly term: string;
  readonly first: number;
  readonly last: number;
}

/** Writes the index of one knowledge base, in one transaction. */
export interface IndexStore {
  readonly kbId: string;
  readonly dialect: IndexDialect;
  /** Locks out other writers until the transaction ends; creates a missing index, if allowed. */
  lock(mayCreate: boolean): MaybePromise<unknown>;
  query<Row extends object>(sql: string, values: unknown[]): MaybePromise<Row[]>;
  /**
   * @param conflict the SQL clause for existing rows
   * @returns the column `returning` of the rows that were written
   */
  insert(
    table: IndexTable,
    rows: readonly (readonly IndexValue[])[],
    conflict: string,
    returning?: string,
  ): MaybePromise<readonly IndexValue[]>;
  /** @param key the columns that identify the rows to remove */
  remove(
    table: IndexTable,
    key: readonly string[],
    rows: readonly (readonly IndexValue[])[],
  ): MaybePromise<unknown>;
  /** Returns the blocks that contain the numbers of the given terms, in order. */
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
 * The row of this term, which no text contains, marks that a search engine has the postings of the
 * index. The other rows then only count the passages per term, as blocks of NO_POSTINGS whose first
 * number is 0.
 */
export const IN_ENGINE = ' ';
export const NO_POSTINGS = new Uint8Array();
export const LANGUAGES: IndexTable = {
  name: 'search_languages',
  columns: { language: 'text', passages: 'bigint', tokens: 'bigint' },
};
/** The passages added (numbers) and removed (`RemovedPassage`s) by the last transactions, as JSON. */
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

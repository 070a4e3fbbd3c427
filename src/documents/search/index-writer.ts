import {
  analysePassage,
  type AnalysedPassage,
  type PassageText,
} from '@latchkey/ranking/analyse-passage';
import {
  addToBlocks,
  type BlockChange,
  groupPostingsByTerm,
  removeFromBlocks,
} from '@latchkey/ranking/posting-block';
import type { DocumentVersion } from '@latchkey/ranking/search-index';
import { listWordKeys } from '@latchkey/ranking/spelling';
import type { SearchPlace } from '../../knowledge-bases/knowledge-base.entity.js';
import {
  BLOCKS,
  CHANGES,
  IN_ENGINE,
  NO_POSTINGS,
  PASSAGES,
  type IndexStore,
  type IndexValue,
  LANGUAGES,
  SPELLINGS,
  type TermBlock,
  type TermRange,
  WORDS,
  type WrittenBlock,
} from './index-store.js';
import { type EnginePlace, writePlaces } from './engine/engine-place.js';
import { notConfigured } from './engine/search-unavailable-error.js';

/** The number of terms written at a time, so that each statement stays short. */
const SLICE = 1000;
/** The number of transactions whose changes are kept, to update caches of an earlier state. */
const KEPT_CHANGES = 1000;
const IGNORE = 'ON CONFLICT DO NOTHING';

type IndexedPassage = Pick<AnalysedPassage, 'number' | 'language' | 'tokens'>;
type StoredPassage = PassageText & {
  readonly documentId: string;
  readonly isIndexed: unknown;
  /** The language it was analysed in; null if unknown or not indexed. */
  readonly indexedLanguage: string | null;
};

/** A removed passage: its number, language (empty if unknown) and word count. */
export type RemovedPassage = readonly [number: number, language: string, tokens: number];

/** A change to the blocks of a term that overlap its range. */
interface TermChange extends TermRange {
  readonly change: (blocks: readonly TermBlock[]) => readonly BlockChange<TermBlock>[];
}

/** Where the postings of an index are stored. */
export type PostingPlace = 'database' | 'engine';

/**
 * Writes the passages of a knowledge base, and the words used for spelling correction. If a search
 * engine has the postings, `search_blocks` only counts the passages of each term.
 */
export class IndexWriter {
  private place: PostingPlace | undefined;

  /** @param hasEngine whether a search engine is configured; new indexes then keep their postings there */
  constructor(
    private readonly store: IndexStore,
    private readonly hasEngine: boolean,
  ) {}

  /** Finds the next `limit` passages of versions of active documents, ordered by number. */
  findPassages(versions: readonly DocumentVersion[], after: number, limit: number) {
    const { versions: given, join, list } = this.store.dialect;
    return this.store.query<StoredPassage>(
      `WITH next AS MATERIALIZED (
         SELECT p.number FROM ${given}
         ${join} documents d ON d.id = v.document_id AND d.state = 'active'
         ${join} passages p ON p.document_id = d.id AND p.version = v.version
         WHERE p.number > $3 ORDER BY p.number LIMIT $4)
       SELECT p.number, d.id AS "documentId", d.title, d.language, p.heading, p.text,
         s.passage_number IS NOT NULL AS "isIndexed", s.language AS "indexedLanguage"
       FROM next ${join} passages p ON p.number = next.number
       ${join} documents d ON d.id = p.document_id
       LEFT JOIN search_passages s ON s.passage_number = p.number ORDER BY p.number`,
      [
        list(versions.map(({ documentId }) => documentId)),
        list(versions.map(({ version }) => version)),
        after,
        limit,
      ],
    );
  }

  /**
   * Adds the passages whose document is still active and which are not indexed yet.
   *
   * @returns the numbers of the others
   */
  async addPresent(passages: readonly AnalysedPassage[]): Promise<number[]> {
    const { isIn, list, lockDocuments } = this.store.dialect;
    const rows = await this.store.query<{ number: number }>(
      `WITH p AS MATERIALIZED (SELECT number, document_id FROM passages WHERE ${isIn('number', '$1')})
       SELECT p.number FROM p JOIN documents d ON d.id = p.document_id AND d.state = 'active'
       ${lockDocuments}`,
      [list(passages.map(({ number }) => number))],
    );
    const present = new Set(rows.map(({ number }) => number));
    await this.add(passages.filter(({ number }) => present.has(number)));
    return passages.map(({ number }) => number).filter((number) => !present.has(number));
  }

  async add(passages: readonly AnalysedPassage[]): Promise<void> {
    if (passages.length === 0) return;
    await this.store.lock(true);
    const inserted = await this.store.insert(
      PASSAGES,
      passages.map(({ number, tokens, language, fingerprint, terms }) => {
        return [number, tokens, language, fingerprint, terms.join(' ')];
      }),
      IGNORE,
      'passage_number',
    );
    const numbers = new Set(inserted);
    const added = passages.filter(({ number }) => numbers.has(number));
    await this.count(added, 1);
    await this.noteChange(
      added.map(({ number }) => number),
      [],
    );
    await this.addPostings(added);
    await this.addWords(added);
  }

  private async addPostings(passages: readonly AnalysedPassage[]): Promise<void> {
    const ofTerm = [...groupPostingsByTerm(passages)];
    if ((await this.getPlace()) === 'engine') {
      await this.changeCounts(ofTerm.map(([term, { length }]) => [term, length]));
    } else {
      await this.changeBlocks(
        ofTerm.map(([term, postings]) => ({
          term,
          first: postings.at(0)?.number ?? 0,
          last: postings.at(-1)?.number ?? 0,
          change: (blocks) => addToBlocks(blocks, postings),
        })),
      );
    }
  }

  /** Finds the next `limit` indexed passages, ordered by number, with the language they were indexed in. */
  findPassagesAfter(after: number, limit: number) {
    const { ofIndex, join } = this.store.dialect;
    return this.store.query<PassageText>(
      `SELECT p.number, d.title, s.language, p.heading, p.text
       FROM search_passages s ${join} passages p ON p.number = s.passage_number
       ${join} documents d ON d.id = p.document_id
       WHERE ${ofIndex} AND s.passage_number > $2 ORDER BY s.passage_number LIMIT $3`,
      [this.store.kbId, after, limit],
    );
  }

  /** Returns the number of the last passage, indexed or not; 0 if there is none. */
  async findLastNumber(): Promise<number> {
    const [row] = await this.store.query<{ number: number | null }>(
      'SELECT CAST(MAX(number) AS float8) AS number FROM passages WHERE kb_id = $1',
      [this.store.kbId],
    );
    return row?.number ?? 0;
  }

  /** Replaces the postings by their counts. Until the commit, searches still use the postings. */
  async leaveToEngine(): Promise<void> {
    await this.store.lock(true);
    if ((await this.getPlace()) === 'engine') return;
    const { kbId, dialect } = this.store;
    const counts = await this.store.query<{ term: string; postings: number }>(
      `SELECT term, CAST(sum(postings) AS float8) AS postings FROM search_blocks
       WHERE ${dialect.ofIndex} GROUP BY term`,
      [kbId],
    );
    await this.removeBlocks();
    const rows = counts.map(({ term, postings }) => [term, 0, postings, NO_POSTINGS]);
    for (const slice of splitSlices([[IN_ENGINE, 0, 0, NO_POSTINGS], ...rows])) {
      await this.store.insert(BLOCKS, slice, '');
    }
  }

  /**
   * Rebuilds the postings from the passages. Until the commit, searches use the engine.
   *
   * @param batch the number of passages held in memory at a time
   */
  async takeFromEngine(batch: number): Promise<void> {
    await this.store.lock(true);
    this.place = 'database';
    await this.removeBlocks();
    for (let after: number | undefined = 0; after !== undefined;) {
      const passages: PassageText[] = await this.findPassagesAfter(after, batch);
      await this.addPostings(passages.map(analysePassage));
      after = passages.length < batch ? undefined : passages.at(-1)?.number;
    }
  }

  private async removeBlocks(): Promise<void> {
    const { kbId, dialect } = this.store;
    const statement = `DELETE FROM search_blocks WHERE ${dialect.ofIndex} RETURNING first`;
    await this.store.query(statement, [kbId]);
  }

  /** Finds the places in the engine that passages are written to. */
  async findPlaces(): Promise<readonly EnginePlace[]> {
    const [row] = await this.store.query<{ place: SearchPlace }>(
      `SELECT search_place AS place FROM knowledge_bases WHERE id = $1 AND state = 'active'`,
      [this.store.kbId],
    );
    return writePlaces(row?.place);
  }

  /** Like `findPlaces`, but the places stay the same until the transaction ends; see EnginePlaces. */
  async keepPlaces(): Promise<readonly EnginePlace[]> {
    await this.store.lock(true);
    return this.findPlaces();
  }

  /** Returns those of the passages that are not indexed. */
  async findMissing(numbers: readonly number[]): Promise<number[]> {
    const { isIn, list } = this.store.dialect;
    const rows = await this.store.query<{ number: number }>(
      `SELECT passage_number AS number FROM search_passages WHERE ${isIn('passage_number', '$1')}`,
      [list(numbers)],
    );
    const present = new Set(rows.map(({ number }) => number));
    return numbers.filter((number) => !present.has(number));
  }

  /** Removes passages; ignores those that are not indexed. */
  async remove(numbers: readonly number[]): Promise<void> {
    const { isIn, list } = this.store.dialect;
    await this.store.lock(false);
    const removed = await this.store.query<IndexedPassage & { readonly terms: string }>(
      `DELETE FROM search_passages WHERE ${isIn('passage_number', '$1')}
       RETURNING passage_number AS number, language, tokens, terms`,
      [list(numbers)],
    );
    await this.count(removed, -1);
    await this.noteChange(
      [],
      removed.map(({ number, language, tokens }) => [number, language ?? '', tokens]),
    );
    const ofTerm = new Map<string, number[]>();
    for (const { number, terms } of removed) {
      for (const term of terms.split(' ')) {
        const some = ofTerm.get(term);
        if (some) some.push(number);
        else ofTerm.set(term, [number]);
      }
    }
    if ((await this.getPlace()) === 'engine') {
      await this.changeCounts([...ofTerm].map(([term, { length }]) => [term, -length]));
    } else {
      await this.changeBlocks(
        [...ofTerm].map(([term, some]) => ({
          term,
          first: Math.min(...some),
          last: Math.max(...some),
          change: (blocks) => removeFromBlocks(blocks, new Set(some)),
        })),
      );
    }
    for (const stems of splitSlices([...ofTerm.keys()])) await this.removeUnusedWords(stems);
  }

  private async count(passages: readonly IndexedPassage[], sign: 1 | -1): Promise<void> {
    const ofLanguage = Map.groupBy(passages, ({ language }) => language ?? '');
    await this.store.insert(
      LANGUAGES,
      [...ofLanguage].map(([language, some]) => {
        const tokens = some.reduce((sum, passage) => sum + passage.tokens, 0);
        return [language, sign * some.length, sign * tokens];
      }),
      `ON CONFLICT (${this.store.dialect.keyPrefix}language) DO UPDATE
       SET passages = search_languages.passages + excluded.passages,
         tokens = search_languages.tokens + excluded.tokens`,
    );
  }

  /**
   * Records a change. Serial numbers start from the current time, so those of a rebuilt index are
   * higher than all before.
   */
  private async noteChange(
    added: readonly number[],
    removed: readonly RemovedPassage[],
  ): Promise<void> {
    if (added.length + removed.length === 0) return;
    const { kbId, dialect } = this.store;
    const [last] = await this.store.query<{ serial: number | null }>(
      `SELECT CAST(max(serial) AS float8) AS serial FROM search_changes WHERE ${dialect.ofIndex}`,
      [kbId],
    );
    const serial = (last?.serial ?? Date.now() * 1000) + 1;
    const change = [serial, JSON.stringify(added), JSON.stringify(removed)];
    await this.store.insert(CHANGES, [change], IGNORE);
    await this.store.query(
      `DELETE FROM search_changes WHERE ${dialect.ofIndex} AND serial <= $2 RETURNING serial`,
      [kbId, serial - KEPT_CHANGES],
    );
  }

  /** @throws SearchUnavailableError if the postings are in an engine that is not configured here */
  private async getPlace(): Promise<PostingPlace> {
    this.place ??= await this.findPlace();
    return this.place;
  }

  private async findPlace(): Promise<PostingPlace> {
    const { kbId, dialect } = this.store;
    if (await this.isInEngine()) {
      if (!this.hasEngine) throw notConfigured(kbId);
      return 'engine';
    }
    if (!this.hasEngine) return 'database';
    const stored = await this.store.query(
      `SELECT term FROM search_blocks WHERE ${dialect.ofIndex} LIMIT 1`,
      [kbId],
    );
    if (stored.length > 0) return 'database';
    await this.store.insert(BLOCKS, [[IN_ENGINE, 0, 0, NO_POSTINGS]], '');
    return 'engine';
  }

  /** Whether the engine has the postings. */
  async isInEngine(): Promise<boolean> {
    const { kbId, dialect } = this.store;
    const marked = await this.store.query(
      `SELECT term FROM search_blocks WHERE ${dialect.ofIndex} AND term = $2`,
      [kbId, IN_ENGINE],
    );
    return marked.length > 0;
  }

  private async changeCounts(changes: readonly (readonly [string, number])[]): Promise<void> {
    const { kbId, dialect } = this.store;
    for (const slice of splitSlices(changes)) {
      const known = await this.store.query<{ term: string; postings: number }>(
        `SELECT term, postings FROM search_blocks
         WHERE ${dialect.ofIndex} AND ${dialect.isIn('term', '$2')}`,
        [kbId, dialect.list(slice.map(([term]) => term))],
      );
      const counts = new Map(known.map(({ term, postings }) => [term, postings]));
      const changed = slice
        .map(([term, change]) => [term, (counts.get(term) ?? 0) + change] as const)
        .filter(([, count]) => count > 0);
      const keys = known.map(({ term }) => [term, 0]);
      await this.store.remove(BLOCKS, ['term', 'first'], keys);
      await this.store.insert(
        BLOCKS,
        changed.map(([term, count]) => [term, 0, count, NO_POSTINGS]),
        '',
      );
    }
  }

  private async changeBlocks(changes: readonly TermChange[]): Promise<void> {
    for (const slice of splitSlices(changes)) {
      const blocks = Map.groupBy(await this.store.blocks(slice), ({ term }) => term);
      const removed: TermBlock[] = [];
      const written: WrittenBlock[] = [];
      for (const { term, change } of slice) {
        for (const { old, replacement } of change(blocks.get(term) ?? [])) {
          if (old && !replacement.some(({ first }) => first === old.first)) removed.push(old);
          for (const { first, bytes } of replacement) {
            written.push({ term, first, bytes, isNew: first !== old?.first });
          }
        }
      }
      const keys = removed.map(({ term, first }) => [term, first]);
      await this.store.remove(BLOCKS, ['term', 'first'], keys);
      await this.store.putBlocks(written);
    }
  }

  /** Adds each word once, since most occur in many passages. */
  private async addWords(passages: readonly AnalysedPassage[]): Promise<void> {
    const pairs = passages.flatMap(({ spellings }) => spellings);
    const distinct = new Map(pairs.map(([word, stem]) => [`${stem} ${word}`, [stem, word]]));
    for (const slice of splitSlices([...distinct.values()])) {
      const words = await this.store.insert(WORDS, slice, IGNORE, 'word');
      await this.store.insert(SPELLINGS, listSpellings(words), IGNORE);
    }
  }

  /** Removes words that no passage contains any more, so that nothing is corrected to them. */
  private async removeUnusedWords(stems: readonly string[]): Promise<void> {
    const { isIn, list, ofIndex } = this.store.dialect;
    const removed = await this.store.query<{ word: string }>(
      `DELETE FROM search_words WHERE ${ofIndex} AND ${isIn('term', '$2')} AND NOT EXISTS (
         SELECT 1 FROM search_blocks b WHERE ${ofIndex} AND b.term = search_words.term)
       RETURNING word`,
      [this.store.kbId, list(stems)],
    );
    if (removed.length === 0) return;
    const words = removed.map(({ word }) => word);
    // A word that also has another stem in another language keeps its spellings.
    const kept = await this.store.query<{ word: string }>(
      `SELECT word FROM search_words WHERE ${ofIndex} AND ${isIn('word', '$2')}`,
      [this.store.kbId, list(words)],
    );
    const used = new Set(kept.map(({ word }) => word));
    const unused = words.filter((word) => !used.has(word));
    await this.store.remove(SPELLINGS, ['key', 'word'], listSpellings(unused));
  }
}

const listSpellings = (words: readonly IndexValue[]): string[][] =>
  words.flatMap((word) => listWordKeys(String(word)).map((key) => [key, String(word)]));

function* splitSlices<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < all.length; start += SLICE) yield all.slice(start, start + SLICE);
}

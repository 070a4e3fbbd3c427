import { analysePassage } from '@latchkey/ranking/analyse-passage';
import type { DocumentVersion } from '@latchkey/ranking/search-index';
import { serializeErrors } from '../../platform/jobs/worker-answer.js';
import type { IndexWriter, PostingPlace } from './index-writer.js';
import type { EnginePlace } from './opensearch/engine-place.js';
import type { OpenSearchIndex } from './opensearch/opensearch-index.js';

export interface AddRequest {
  readonly kbId: string;
  readonly versions: readonly DocumentVersion[];
  /** The number of the last passage that was looked at; 0 at first. */
  readonly after: number;
}

export interface RemoveRequest {
  readonly kbId: string;
  readonly passageNumbers: readonly number[];
}

export interface MoveRequest {
  readonly kbId: string;
  /** To a place in the engine, the passages are copied only. */
  readonly to: PostingPlace | EnginePlace;
  /** The number of the last passage that was copied; 0 at first. */
  readonly after: number;
  /** The last passage that there was at first: newer ones are written to where it moves. */
  readonly end?: number | undefined;
}

export type IndexTask = 'add' | 'remove' | 'move' | 'isInEngine';

/** Passages that are copied, or in memory, at a time. */
const MOVE_BATCH = 250;

/** Runs `work` in one transaction of the index of a knowledge base. */
type InTransaction = <T>(kbId: string, work: (index: IndexWriter) => Promise<T>) => Promise<T>;

/**
 * The tasks of the thread that writes.
 *
 * @param batch passages that one transaction adds, for which other writes wait
 * @param engine has each passage that the transactions have, since it gets them before and loses them after;
 *   what it has beyond them is not found
 */
export const indexTasks = (
  inTransaction: InTransaction,
  batch: number,
  engine: OpenSearchIndex | undefined,
) => ({
  /** @returns the rest of the request; undefined when everything is added */
  add: serializeErrors(async (request: AddRequest): Promise<AddRequest | undefined> => {
    const { kbId, versions, after } = request;
    const { found, places } = await inTransaction(kbId, async (index) => ({
      found: await index.findPassages(versions, after, batch),
      places: engine ? await index.findPlaces() : [],
    }));
    const languages = new Map(versions.map(({ documentId, language }) => [documentId, language]));
    const inLanguage = found.map(({ documentId, ...passage }) => {
      const language = languages.get(documentId);
      return language === undefined ? passage : { ...passage, language };
    });
    // An index that is made anew has the passages of all documents, also of those whose language is
    // found out but not written yet: they are the first ones of a knowledge base.
    const outdated = inLanguage.filter(
      ({ isIndexed, language, indexedLanguage }) => isIndexed && language !== indexedLanguage,
    );
    // Between the transactions, so that it holds no lock.
    const passages = inLanguage
      .filter((passage) => !passage.isIndexed || outdated.includes(passage))
      .map((passage) => analysePassage(passage));
    if (passages.length > 0) {
      await engine?.put(kbId, passages, places);
      const gone = await inTransaction(kbId, async (index) => {
        // It has begun, or ended, to move meanwhile.
        if (engine && String(await index.keepPlaces()) !== String(places)) return undefined;
        if (outdated.length > 0) await index.remove(outdated.map(({ number }) => number));
        return index.addPresent(passages);
      });
      if (!gone) return request;
      await engine?.remove(kbId, gone, places);
    }
    const last = found.length < batch ? undefined : found.at(-1)?.number;
    return last === undefined ? undefined : { ...request, after: last };
  }),

  remove: serializeErrors(async ({ kbId, passageNumbers }: RemoveRequest) => {
    const places = await inTransaction(kbId, async (index) => {
      await index.remove(passageNumbers);
      return engine ? index.findPlaces() : [];
    });
    await engine?.remove(kbId, passageNumbers, places);
  }),

  isInEngine: serializeErrors(({ kbId }: Pick<MoveRequest, 'kbId'>) =>
    inTransaction(kbId, (index) => index.isInEngine()),
  ),

  /** @returns the rest of the request; undefined when the postings are there */
  move: serializeErrors(async (request: MoveRequest): Promise<MoveRequest | undefined> => {
    const { kbId, to, after } = request;
    if (to === 'database') {
      await inTransaction(kbId, (index) => index.takeFromEngine(MOVE_BATCH));
      return undefined;
    }
    const { passages, end, places } = await inTransaction(kbId, async (index) => ({
      end: request.end ?? (await index.findLastNumber()),
      passages: await index.findPassagesAfter(after, MOVE_BATCH),
      places: to === 'engine' ? await index.findPlaces() : [to],
    }));
    await engine?.put(kbId, passages.map(analysePassage), places, false);
    const numbers = passages.map(({ number }) => number);
    const missing = await inTransaction(kbId, (index) => index.findMissing(numbers));
    if (missing.length > 0) {
      await engine?.refresh(kbId, places);
      await engine?.remove(kbId, missing, places);
    }
    const last = numbers.at(-1) ?? end;
    if (last < end) return { ...request, after: last, end };
    await engine?.refresh(kbId, places);
    // What services add meanwhile is in the engine too: they write to it wherever the postings are.
    if (to === 'engine') await inTransaction(kbId, (index) => index.leaveToEngine());
    return undefined;
  }),
});

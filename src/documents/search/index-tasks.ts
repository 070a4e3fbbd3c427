import { analysePassage } from '@latchkey/ranking/analyse-passage';
import type { DocumentVersion } from '@latchkey/ranking/search-index';
import { serializeErrors } from '../../platform/jobs/worker-answer.js';
import type { IndexWriter, PostingPlace } from './index-writer.js';
import type { EnginePlace } from './engine/engine-place.js';
import type { SearchEngine } from './engine/search-engine.js';

export interface AddRequest {
  readonly kbId: string;
  readonly versions: readonly DocumentVersion[];
  /** The number of the last passage processed; 0 at first. */
  readonly after: number;
}

export interface RemoveRequest {
  readonly kbId: string;
  readonly passageNumbers: readonly number[];
}

export interface MoveRequest {
  readonly kbId: string;
  /** The target. Passages are only copied to a place in the engine. */
  readonly to: PostingPlace | EnginePlace;
  /** The number of the last passage that was copied; 0 at first. */
  readonly after: number;
  /** The last passage when the move began; newer ones are already written to the target. */
  readonly end?: number | undefined;
}

export type IndexTask = 'add' | 'remove' | 'move' | 'isInEngine';

/** The number of passages copied, or held in memory, at a time. */
const MOVE_BATCH = 250;

/** Runs `work` in one transaction of the index of a knowledge base. */
type InTransaction = <T>(kbId: string, work: (index: IndexWriter) => Promise<T>) => Promise<T>;

/**
 * Creates the tasks of the writing thread.
 *
 * @param batch the number of passages per transaction, for which other writes wait
 * @param engine gets passages before the transaction adds them and loses them after it removes them, so
 *   it has at least what the database has; anything beyond that is not found
 */
export const indexTasks = (
  inTransaction: InTransaction,
  batch: number,
  engine: SearchEngine | undefined,
) => ({
  /** @returns the rest of the request; undefined when everything has been added */
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
    // A rebuilt index also has passages of documents whose language is detected but not stored yet: the
    // first ones of a knowledge base. They are indexed again in that language.
    const outdated = inLanguage.filter(
      ({ isIndexed, language, indexedLanguage }) => isIndexed && language !== indexedLanguage,
    );
    // Analysed between the transactions, so that no lock is held.
    const passages = inLanguage
      .filter((passage) => !passage.isIndexed || outdated.includes(passage))
      .map((passage) => analysePassage(passage));
    if (passages.length > 0) {
      await engine?.put(kbId, passages, places);
      const gone = await inTransaction(kbId, async (index) => {
        // A move has begun or ended in the meantime.
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

  /** @returns the rest of the request; undefined when the postings have been moved */
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
    // Passages added in the meantime are in the engine too: services write to it wherever the postings
    // are.
    if (to === 'engine') await inTransaction(kbId, (index) => index.leaveToEngine());
    return undefined;
  }),
});

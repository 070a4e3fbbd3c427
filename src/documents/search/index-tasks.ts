import { analysePassage } from '@latchkey/ranking/analyse-passage';
import type { DocumentVersion } from '@latchkey/ranking/search-index';
import { serializeErrors } from '../../platform/jobs/worker-answer.js';
import type { IndexWriter } from './index-writer.js';

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

/** Runs `work` in one transaction of the index of a knowledge base. */
type InTransaction = <T>(kbId: string, work: (index: IndexWriter) => Promise<T>) => Promise<T>;

/**
 * The tasks of the thread that writes.
 *
 * @param batch passages that one transaction adds, for which other writes wait
 */
export const indexTasks = (inTransaction: InTransaction, batch: number) => ({
  /** @returns the rest of the request; undefined when everything is added */
  add: serializeErrors(async (request: AddRequest): Promise<AddRequest | undefined> => {
    const { kbId, versions, after } = request;
    const found = await inTransaction(kbId, async (index) =>
      index.passagesOf(versions, after, batch),
    );
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
      await inTransaction(kbId, async (index) => {
        if (outdated.length > 0) await index.remove(outdated.map(({ number }) => number));
        await index.addPresent(passages);
      });
    }
    const last = found.length < batch ? undefined : found.at(-1)?.number;
    return last === undefined ? undefined : { ...request, after: last };
  }),

  remove: serializeErrors(({ kbId, passageNumbers }: RemoveRequest) =>
    inTransaction(kbId, (index) => index.remove(passageNumbers)),
  ),
});

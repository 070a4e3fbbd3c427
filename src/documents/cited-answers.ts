import type { Principals } from '../knowledge-bases/access-rules/principals.js';
import { declareProviders } from '../platform/discovery/declared-providers.js';

export interface CitedAnswer {
  readonly id: string;
  /** The documents that it names. */
  readonly sourceIds: readonly string[];
  /** When it got its text. */
  readonly writtenAt: Date;
  /** When it should be reviewed. */
  readonly reviewAt: Date | null;
}

/** The curated answers that conversations cite as they cite documents. Without a provider, all are closed. */
export interface CitedAnswers {
  /** @returns those that exist and whose rules let the reader read them */
  findReadable(
    kbId: string,
    ids: readonly string[],
    principals: Principals,
  ): Promise<readonly CitedAnswer[]>;

  /** @param principals only those that these may read; undefined for all */
  findAll(kbId: string, principals: Principals | undefined): Promise<readonly CitedAnswer[]>;

  /** @returns when those that exist, or their rules, were last changed */
  findChanges(ids: readonly string[]): Promise<readonly { id: string; updatedAt: Date }[]>;
}

/** Declares the provider of curated answers. */
export const HasCitedAnswers = declareProviders<CitedAnswers>();

import type { SingleQuestion } from '@latchkey/quoting/separate-questions';
import type { MetadataFilter } from '@latchkey/ranking/metadata-filter';
import { declareProviders } from '../platform/discovery/declared-providers.js';
import type { SearchedKnowledgeBase } from './asked-knowledge-bases.js';
import type { SourceDto } from './conversations/source.dto.js';

/** An answer that needs neither a search nor a model. */
export interface ReadyAnswer {
  /** Stored as the answer's `model`: what has answered. */
  readonly model: string;
  readonly text: string;
  readonly sources: SourceDto[];
  /** What the answer rests on besides its sources; stored as `contextDocumentIds`. */
  readonly basedOn: readonly { readonly kb_id: string; readonly document_id: string }[];
}

/** Is asked before the documents are searched. */
export interface AnswerSource {
  /**
   * Answers a whole message, or all of its questions.
   *
   * @param knowledgeBases the knowledge bases that are asked, with what of them the asker may read
   * @param filter of the request
   * @returns undefined where it cannot answer all of it
   */
  answer(
    knowledgeBases: readonly SearchedKnowledgeBase[],
    message: string,
    questions: readonly SingleQuestion[],
    filter: MetadataFilter | undefined,
  ): Promise<ReadyAnswer | undefined>;
}

/** Declares a provider that is asked before the documents are searched, in the order of the modules. */
export const IsAnswerSource = declareProviders<AnswerSource>();

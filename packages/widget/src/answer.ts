/** Where a passage begins in its document. */
export interface Locator {
  readonly page?: number;
  readonly slide?: number;
  readonly sheet?: string;
  readonly row?: number;
  readonly chapter?: string;
}

/** A passage that an answer cites as `[index]`. */
export interface Source {
  readonly index: number;
  readonly document_title: string;
  readonly heading: string | null;
  readonly locator: Locator | null;
  readonly source_url: string | null;
  readonly snippet: string;
  readonly cited?: boolean;
}

export interface Answer {
  readonly answer: string;
  readonly answered: boolean;
  readonly sources: readonly Source[];
  readonly conversation_id: string;
  readonly message_id: string;
}

export type Rating = 'up' | 'down';

/** A question and its answer. */
export interface Turn {
  readonly question: string;
  readonly answer: Answer;
  readonly rating?: Rating;
}

/** What is kept and shown of an answer: the sources that it cites, without what only programs read. */
export const pare = ({
  answer,
  answered,
  sources,
  conversation_id,
  message_id,
}: Answer): Answer => ({
  ...{ answer, answered, conversation_id, message_id },
  sources: sources
    .filter(({ cited }) => cited === true)
    .map(({ index, document_title, heading, locator, source_url, snippet }) => ({
      ...{ index, document_title, heading, locator, source_url, snippet },
    })),
});

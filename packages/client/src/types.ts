import type { components } from './openapi.js';

type Schemas = components['schemas'];

export type Problem = Schemas['ProblemDto'];
export type QueryRequest = Omit<Schemas['QueryDto'], 'api_key'>;
export type QueryAnswer = Schemas['QueryAnswerDto'];
export type ChatRequest = Omit<Schemas['ChatDto'], 'api_key' | 'stream'>;
export type DashboardChatRequest = Omit<Schemas['DashboardChatDto'], 'stream'>;
export type ChatAnswer = Schemas['ChatAnswerDto'];
/** An answer of the playground. */
export type DashboardAnswer = Schemas['DashboardAnswerDto'];
export type Step = Schemas['StepDto'];
export type Source = Schemas['SourceDto'];
export type Filter = NonNullable<QueryRequest['filter']>;
export type Feedback = Schemas['MessageFeedbackDto'];
export type ClientTokenRequest = Omit<Schemas['CreateClientTokenDto'], 'api_key'>;
export type ClientToken = Schemas['ClientTokenDto'];
/** What a key may do, and the rest of its limits. */
export type KeyView = Schemas['KeyViewDto'];
/** The successor of a key, with its secret. */
export type RotatedKey = Schemas['RotatedKeyDto'];
export type Document = Schemas['DocumentDto'];

type IngestedText = Schemas['PutDocumentDto'];

/** A text, or a file with what describes it. */
export type IngestRequest =
  | IngestedText
  | (Partial<Omit<IngestedText, 'text' | 'mime_type'>> & {
      /** A `File` gives its name, from which the service tells its type. */
      readonly file: Blob;
      /** For a `Blob` without a name, such as `handbook.pdf`. */
      readonly file_name?: string;
    });

/** The events of an answer while it is written. */
export type ChatEvent<Answer = ChatAnswer> =
  | {
      readonly type: 'message_start';
      readonly conversation_id: string;
      readonly message_id: string;
    }
  /** The model searched further, as `effort` allows; sent to dashboard users only. */
  | ({ readonly type: 'step' } & Step)
  | { readonly type: 'sources'; readonly sources: Source[] }
  /** The question is not answered; these passages may help. */
  | { readonly type: 'related'; readonly related: Source[] }
  /** The texts joined are the answer. */
  | { readonly type: 'delta'; readonly text: string }
  | { readonly type: 'message_end'; readonly answer: Answer };

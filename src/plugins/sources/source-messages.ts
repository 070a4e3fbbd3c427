import type {
  OpenSource,
  SourceContent,
  SourceContext,
  SourceEntry,
  SourceErrorCode,
} from '@latchkey/sources/source-kind';

/** What the process that reads a source is told of it. */
export interface SourceConnection extends Pick<
  SourceContext,
  'limits' | 'workFolder' | 'runFolder' | 'userAgent'
> {
  readonly config: unknown;
  readonly credentials: unknown;
  readonly allowPrivate: boolean;
}

/** What the process is asked. */
export interface SourceTasks {
  readonly test: SourceConnection;
  readonly open: SourceConnection;
  /** For the next entries of the listing. */
  readonly list: object;
  /** To write a document to a file. */
  readonly load: { readonly entry: SourceEntry; readonly path: string };
  readonly isGone: { readonly key: string };
}

/** What it answers. */
export interface SourceResults {
  readonly test: null;
  readonly open: Pick<OpenSource, 'access'> & { readonly parallelLoads: number };
  readonly list: { readonly entries: readonly SourceEntry[]; readonly isWhole: boolean };
  readonly load: Omit<SourceContent, 'body'>;
  readonly isGone: boolean;
}

export type SourceTaskName = keyof SourceTasks;

/** `id` is that of the answer. */
export type SourceTask = {
  [Name in SourceTaskName]: { readonly id: number; readonly name: Name } & SourceTasks[Name];
}[SourceTaskName];

/** `started` comes first, when everything is loaded: a process that ends before it has read nothing. */
export type SourceMessage =
  | 'started'
  | { readonly warning: string }
  | { readonly found: number }
  | { readonly id: number; readonly result: SourceResults[SourceTaskName] }
  | { readonly id: number; readonly failure: { code: SourceErrorCode; message: string } }
  /** Not because of the source. */
  | { readonly id: number; readonly error: string };

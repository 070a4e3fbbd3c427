import type {
  OpenSource,
  SidecarReport,
  SourceContent,
  SourceContext,
  SourceEntry,
  SourceErrorCode,
} from '@latchkey/sources/source-kind';

/** The data that the process that reads a source gets. */
export interface SourceConnection extends Pick<
  SourceContext,
  'limits' | 'workFolder' | 'runFolder' | 'userAgent'
> {
  readonly config: unknown;
  readonly credentials: unknown;
  readonly allowPrivate: boolean;
}

/** The requests to the process. */
export interface SourceTasks {
  readonly test: SourceConnection;
  readonly open: SourceConnection;
  readonly sidecars: object;
  /** Asks for the next entries of the listing. */
  readonly list: object;
  /** Asks to write a document to a file. */
  readonly load: { readonly entry: SourceEntry; readonly path: string };
  readonly isGone: { readonly key: string };
}

/** The results of the process. */
export interface SourceResults {
  readonly test: null;
  readonly open: Pick<OpenSource, 'access'> & { readonly parallelLoads: number };
  readonly sidecars: SidecarReport | null;
  readonly list: { readonly entries: readonly SourceEntry[]; readonly isWhole: boolean };
  readonly load: Omit<SourceContent, 'body'>;
  readonly isGone: boolean;
}

export type SourceTaskName = keyof SourceTasks;

/** `id` is the id of the request that it answers. */
export type SourceTask = {
  [Name in SourceTaskName]: { readonly id: number; readonly name: Name } & SourceTasks[Name];
}[SourceTaskName];

/** `started` comes first, after all code is loaded: a process that ends before it has read nothing. */
export type SourceMessage =
  | 'started'
  | { readonly warning: string }
  | { readonly found: number }
  | { readonly id: number; readonly result: SourceResults[SourceTaskName] }
  | { readonly id: number; readonly failure: { code: SourceErrorCode; message: string } }
  /** An error that the source did not cause. */
  | { readonly id: number; readonly error: string };

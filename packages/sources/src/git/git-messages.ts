/** What the process that reads repositories is asked; `id` is that of its answer. */
export type GitTask =
  | {
      readonly id: number;
      /** `find` fetches nothing. */
      readonly name: 'find' | 'fetch';
      readonly gitdir: string;
      readonly url: string;
      readonly branch: string | undefined;
    }
  | {
      readonly id: number;
      readonly name: 'list';
      readonly gitdir: string;
      readonly commit: string;
      readonly folder: string;
    }
  | {
      readonly id: number;
      readonly name: 'read';
      readonly gitdir: string;
      readonly oid: string;
      readonly path: string;
      readonly maxBytes: number;
    };

export interface FetchedBranch {
  readonly branch: string;
  readonly commit: string;
}

export interface GitListing {
  readonly files: readonly { readonly path: string; readonly oid: string }[];
  readonly links: number;
  readonly submodules: number;
}

/** Why a task failed. */
export type GitFailure = 'no_branch' | 'no_folder' | 'too_many' | 'too_large' | 'http' | 'broken';

export type GitAnswer =
  | { readonly id: number; readonly result: FetchedBranch | GitListing | null }
  | { readonly id: number; readonly failure: GitFailure; readonly status?: number };

/** A request that the process leaves to its parent, which checks addresses and knows the token. */
export interface GitHttpTask {
  readonly http: number;
  readonly url: string;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: Uint8Array | undefined;
}

export type GitHttpAnswer =
  | {
      readonly http: number;
      readonly status: number;
      readonly headers: Record<string, string>;
      /** Of the file with the body. */
      readonly path: string;
    }
  | { readonly http: number; readonly failed: true };

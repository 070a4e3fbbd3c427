import { type ChildProcess, fork } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type SourceContext, SourceError, type SourceErrorCode } from '../source-kind.js';
import { boundedBody, statusError, ThrottledClient } from '../throttled-client.js';
import type {
  FetchedBranch,
  GitAnswer,
  GitFailure,
  GitHttpAnswer,
  GitHttpTask,
  GitListing,
  GitTask,
} from './git-messages.js';

/** A branch that is packed larger would need more memory than its process may have. */
const MAX_PACK_BYTES = 256 * 1024 * 1024;

/** The same file as a test runs it, and as it is built. */
const PROGRAM = new URL(`./git.process${extname(import.meta.url)}`, import.meta.url);

const FAILURES: Record<GitFailure, readonly [SourceErrorCode, string]> = {
  no_branch: ['not_found', 'The repository has no such branch.'],
  no_folder: ['not_found', 'The branch has no such folder.'],
  too_many: ['too_many_documents', 'The repository has too many files.'],
  too_large: ['too_large', 'The file is too large.'],
  http: ['unreachable', 'The repository cannot be fetched.'],
  broken: ['unreadable', 'The repository is broken, or it was cut on its way.'],
};

interface Waiting {
  readonly resolve: (result: FetchedBranch | GitListing | null) => void;
  readonly reject: (error: Error) => void;
}

type Task<T> = T extends GitTask ? Omit<T, 'id' | 'gitdir'> : never;

/** The process that fetches and reads one repository, and the requests that it makes. */
export class GitProcess {
  private readonly child: ChildProcess;
  private readonly client: ThrottledClient;
  private readonly waiting = new Map<number, Waiting>();
  private tasks = 0;
  private answers = 0;
  /** Of the request that failed last, which says more than the process knows. */
  private failure: SourceError | undefined;
  private readonly stop = () => this.child.kill('SIGKILL');

  /** @param headers of each request to the repository's own server */
  constructor(
    private readonly url: string,
    private readonly headers: Record<string, string>,
    private readonly gitdir: string,
    private readonly context: SourceContext,
  ) {
    this.client = new ThrottledClient(context);
    this.child = fork(PROGRAM, [], {
      // It needs nothing of what the service is told by variables.
      env: {},
      execArgv: ['--disable-warning=ExperimentalWarning'],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.child.on('message', (message: GitAnswer | GitHttpTask) => {
      if ('http' in message) void this.request(message);
      else this.settle(message);
    });
    this.child.on('error', () => {
      this.rejectAll();
    });
    this.child.on('exit', () => {
      this.rejectAll();
    });
    context.signal.addEventListener('abort', this.stop);
  }

  /** @throws SourceError when the branch cannot be reached */
  async find(branch: string | undefined): Promise<void> {
    await this.run({ name: 'find', url: this.url, branch });
  }

  fetch(branch: string | undefined): Promise<FetchedBranch> {
    return this.run<FetchedBranch>({ name: 'fetch', url: this.url, branch });
  }

  list(commit: string, folder: string): Promise<GitListing> {
    return this.run<GitListing>({ name: 'list', commit, folder });
  }

  /** Writes an object to a file. */
  async read(oid: string, path: string): Promise<void> {
    await this.run({ name: 'read', oid, path, maxBytes: this.context.limits.maxBytes });
  }

  close(): void {
    this.context.signal.removeEventListener('abort', this.stop);
    this.stop();
  }

  private async run<T extends FetchedBranch | GitListing | null>(task: Task<GitTask>): Promise<T> {
    this.context.signal.throwIfAborted();
    this.failure = undefined;
    const id = ++this.tasks;
    const result = await new Promise<FetchedBranch | GitListing | null>((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      if (this.child.connected) this.child.send({ ...task, id, gitdir: this.gitdir });
      else this.rejectAll();
    });
    return result as T;
  }

  private settle(answer: GitAnswer): void {
    const waiting = this.waiting.get(answer.id);
    this.waiting.delete(answer.id);
    if ('result' in answer) waiting?.resolve(answer.result);
    else waiting?.reject(this.errorOf(answer.failure, answer.status));
  }

  private errorOf(failure: GitFailure, status?: number): SourceError {
    if (this.failure) return this.failure;
    if (status !== undefined) return statusError(this.url, status);
    return new SourceError(...FAILURES[failure]);
  }

  private rejectAll(): void {
    const { signal } = this.context;
    const isTooLarge = this.child.signalCode === 'SIGKILL';
    const error = signal.aborted
      ? (signal.reason as Error)
      : isTooLarge
        ? new SourceError('too_large', 'The repository needs more memory than it may have.')
        : new SourceError('unreadable', 'The repository cannot be read.');
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
  }

  /** The body goes by a file, since it may be large. */
  private async request({ http, url, method, headers, body }: GitHttpTask): Promise<void> {
    const path = join(this.context.workFolder, `answer-${++this.answers}`);
    const isOwn = new URL(url).origin === new URL(this.url).origin;
    const sent = { ...headers, ...(isOwn && this.headers) };
    const init = { method, headers: sent, ...(body && { body }), maxBytes: MAX_PACK_BYTES };
    let answer: GitHttpAnswer;
    try {
      const response = await this.client.request(url, init);
      await pipeline(boundedBody(response, MAX_PACK_BYTES), createWriteStream(path));
      const received = Object.fromEntries(response.headers);
      answer = { http, status: response.status, headers: received, path };
    } catch (error) {
      if (error instanceof SourceError) this.failure = error;
      answer = { http, failed: true };
    }
    if (this.child.connected) this.child.send(answer);
  }
}

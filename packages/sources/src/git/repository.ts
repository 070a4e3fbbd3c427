import fs from 'node:fs';
import git from 'isomorphic-git';
import type { GitHttpRequest, GitHttpResponse, TreeEntry } from 'isomorphic-git';
import { isSidecarName } from '../sidecars/sidecar.js';
import { type SourceContext, SourceError } from '../source-kind.js';
import { readBounded, toStatusError, ThrottledClient } from '../throttled-client.js';

/** A branch with a larger pack would exceed the memory limit of the process. */
const MAX_PACK_BYTES = 256 * 1024 * 1024;
/** Trees can refer to the same tree many times, so a small repository may have billions of paths. */
const MAX_ENTRIES = 500_000;
const MAX_PATH = 1000;

interface FetchedBranch {
  readonly branch: string;
  readonly commit: string;
}

interface GitListing {
  readonly files: readonly { readonly path: string; readonly oid: string }[];
  /** The sidecars, also above the folder; without an oid if it is no file. */
  readonly sidecars: readonly { readonly path: string; readonly oid: string | undefined }[];
  readonly links: number;
  readonly submodules: number;
}

/** A repository on a server, with the objects fetched from it into a folder. */
export class Repository {
  private readonly client: ThrottledClient;
  /** The cache of isomorphic-git for packs. */
  private cache = {};
  private readonly http = { request: (request: GitHttpRequest) => this.request(request) };

  /** @param headers sent with each request to the repository's own server */
  constructor(
    private readonly url: string,
    private readonly headers: Record<string, string>,
    private readonly gitdir: string,
    private readonly context: SourceContext,
  ) {
    this.client = new ThrottledClient(context);
  }

  /** @throws SourceError when the branch cannot be reached */
  find(branch: string | undefined): Promise<FetchedBranch> {
    return this.attempt(() => this.findBranch(branch));
  }

  /** Fetches the last commit of a branch, unless it is there. @throws SourceError */
  fetch(branch: string | undefined): Promise<FetchedBranch> {
    return this.attempt(async () => {
      const { http, url, gitdir, cache } = this;
      const found = await this.findBranch(branch);
      if (await this.hasCommit(found.commit)) return found;
      await git.init({ fs, gitdir, bare: true });
      await git.addRemote({ fs, gitdir, remote: 'origin', url, force: true });
      const { fetchHead } = await git.fetch({
        fs,
        http,
        gitdir,
        url,
        ref: found.branch,
        remote: 'origin',
        depth: 1,
        singleBranch: true,
        tags: false,
        cache,
      });
      if (fetchHead === null) throw noBranch();
      return { branch: found.branch, commit: fetchHead };
    });
  }

  /** The files of a commit. @throws SourceError */
  list(commit: string, folder: string): Promise<GitListing> {
    return this.attempt(() => this.listFiles(commit, folder));
  }

  /** The content of a file. @throws SourceError */
  read(oid: string): Promise<Uint8Array> {
    return this.attempt(async () => {
      const { gitdir, cache } = this;
      const { blob } = await git.readBlob({ fs, gitdir, oid, cache });
      if (blob.byteLength > this.context.limits.maxBytes) {
        throw new SourceError('too_large', 'The file is too large.');
      }
      return blob;
    });
  }

  private async attempt<T>(work: () => Promise<T>): Promise<T> {
    const { signal } = this.context;
    signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      if (error instanceof SourceError || signal.aborted) throw error;
      if (error instanceof git.Errors.HttpError)
        throw toStatusError(this.url, error.data.statusCode);
      // The cached objects may be broken, too.
      this.cache = {};
      const message = 'The repository is broken, or it was cut on its way.';
      throw new SourceError('unreadable', message, { cause: error });
    }
  }

  private async request(request: GitHttpRequest): Promise<GitHttpResponse> {
    const { url, method = 'GET', headers = {}, body } = request;
    const parts: Uint8Array[] = [];
    for await (const part of body ?? []) parts.push(part);
    const isOwn = new URL(url).origin === new URL(this.url).origin;
    const response = await this.client.request(url, {
      method,
      headers: { ...headers, ...(isOwn && this.headers) },
      ...(parts.length > 0 && { body: Buffer.concat(parts) }),
    });
    return {
      url,
      method,
      statusCode: response.status,
      statusMessage: '',
      headers: Object.fromEntries(response.headers),
      body: readBounded(response, MAX_PACK_BYTES),
    };
  }

  private async findBranch(branch: string | undefined): Promise<FetchedBranch> {
    const { http, url } = this;
    const prefix = branch === undefined ? 'HEAD' : `refs/heads/${branch}`;
    const refs = await git.listServerRefs({ http, url, prefix, symrefs: true });
    const found = refs.find(({ ref }) => ref === prefix);
    const name = (branch === undefined ? found?.target : found?.ref)?.replace(/^refs\/heads\//, '');
    if (found === undefined || name === undefined) throw noBranch();
    return { branch: name, commit: found.oid };
  }

  private hasCommit(oid: string): Promise<boolean> {
    const { gitdir, cache } = this;
    return git.readCommit({ fs, gitdir, oid, cache }).then(
      () => true,
      () => false,
    );
  }

  /** Lists the files without recursion, since trees may be nested deeply. */
  private async listFiles(commit: string, folder: string): Promise<GitListing> {
    const { gitdir, cache } = this;
    const files: { path: string; oid: string }[] = [];
    const sidecars: { path: string; oid: string | undefined }[] = [];
    let links = 0;
    let submodules = 0;
    let entries = 0;
    const noteSidecars = (path: string, tree: readonly TreeEntry[]) => {
      for (const entry of tree.filter((one) => isSidecarName(one.path))) {
        const oid = entry.type === 'blob' && !isLink(entry) ? entry.oid : undefined;
        sidecars.push({ path: join(path, entry.path), oid });
      }
    };
    const trees = [{ path: folder, oid: await this.findTree(commit, folder, noteSidecars) }];
    for (let at = trees.pop(); at; at = trees.pop()) {
      const { tree } = await git.readTree({ fs, gitdir, oid: at.oid, cache });
      noteSidecars(at.path, tree);
      for (const entry of tree) {
        if (++entries > MAX_ENTRIES) {
          throw new SourceError('too_many_documents', 'The repository has too many files.');
        }
        const path = join(at.path, entry.path);
        if (path.length > MAX_PATH) continue;
        if (entry.type === 'tree') trees.push({ path, oid: entry.oid });
        else if (entry.type === 'commit') submodules++;
        else if (isLink(entry)) links++;
        else files.push({ path, oid: entry.oid });
      }
    }
    return { files, sidecars, links, submodules };
  }

  /** @param passed called with each tree above the folder */
  private async findTree(
    commit: string,
    folder: string,
    passed: (path: string, tree: readonly TreeEntry[]) => void,
  ): Promise<string> {
    const { gitdir, cache } = this;
    let { oid: tree } = await git.readTree({ fs, gitdir, oid: commit, cache });
    let path = '';
    for (const part of folder.split('/')) {
      if (part === '') continue;
      const { tree: entries } = await git.readTree({ fs, gitdir, oid: tree, cache });
      passed(path, entries);
      path = join(path, part);
      const found = entries.find(({ path, type }) => path === part && type === 'tree');
      if (!found) throw new SourceError('not_found', 'The branch has no such folder.');
      tree = found.oid;
    }
    return tree;
  }
}

const join = (path: string, name: string) => (path === '' ? name : `${path}/${name}`);

const isLink = ({ mode }: TreeEntry) => mode === '120000';

const noBranch = () => new SourceError('not_found', 'The repository has no such branch.');

import fs from 'node:fs';
import { Worker } from 'node:worker_threads';
import git from 'isomorphic-git';
import type { HttpClient, TreeEntry } from 'isomorphic-git';
import type {
  FetchedBranch,
  GitAnswer,
  GitFailure,
  GitHttpAnswer,
  GitHttpTask,
  GitListing,
  GitTask,
} from './git-messages.js';

// Reads repositories in a process of its own: inflating and hashing a pack of 18 MB takes seconds of CPU
// time, and an object of a few kilobytes can inflate to gigabytes. It reaches no network.

const MAX_MEMORY = 1024 * 1024 * 1024;
/** Trees can name the same tree many times, so that a small repository has billions of paths. */
const MAX_ENTRIES = 500_000;
const MAX_PATH = 1000;

// In a thread, since an object is inflated without a pause.
new Worker(
  `setInterval(() => {
    const isAlone = process.ppid !== ${process.ppid};
    if (isAlone || process.memoryUsage.rss() > ${MAX_MEMORY}) process.kill(process.pid, 'SIGKILL');
  }, 20)`,
  { eval: true },
);

class Failed extends Error {
  readonly failure: GitFailure;

  constructor(failure: GitFailure) {
    super(failure);
    this.failure = failure;
  }
}

/** What isomorphic-git has read of packs. */
let cache = {};
const waiting = new Map<number, (answer: GitHttpAnswer) => void>();
let requests = 0;

const http: HttpClient = {
  async request({ url, method = 'GET', headers = {}, body }) {
    const parts: Uint8Array[] = [];
    for await (const part of body ?? []) parts.push(part);
    const id = ++requests;
    const answer = await new Promise<GitHttpAnswer>((resolve) => {
      waiting.set(id, resolve);
      const sent = parts.length > 0 ? Buffer.concat(parts) : undefined;
      process.send?.({ http: id, url, method, headers, body: sent } satisfies GitHttpTask);
    });
    if ('failed' in answer) throw new Failed('http');
    return {
      url,
      method,
      statusCode: answer.status,
      statusMessage: '',
      headers: answer.headers,
      body: readFile(answer.path),
    };
  },
};

async function* readFile(path: string): AsyncGenerator<Uint8Array> {
  for await (const part of fs.createReadStream(path)) yield part as Uint8Array;
}

process.on('message', (message: GitTask | GitHttpAnswer) => {
  if ('http' in message) {
    waiting.get(message.http)?.(message);
    waiting.delete(message.http);
  } else void answer(message);
});
process.on('disconnect', () => process.exit());

async function answer(task: GitTask): Promise<void> {
  const send = (message: GitAnswer) => process.send?.(message);
  const { id } = task;
  try {
    send({ id, result: await run(task) });
  } catch (error) {
    send({ id, ...failureOf(error) });
  }
}

function failureOf(error: unknown): { failure: GitFailure; status?: number } {
  if (error instanceof Failed) return { failure: error.failure };
  if (error instanceof git.Errors.HttpError) {
    return { failure: 'http', status: error.data.statusCode };
  }
  // What was read of it is as broken.
  cache = {};
  return { failure: 'broken' };
}

function run(task: GitTask): Promise<FetchedBranch | GitListing | null> {
  switch (task.name) {
    case 'find':
      return findBranch(task);
    case 'fetch':
      return fetchBranch(task);
    case 'list':
      return list(task);
    case 'read':
      return read(task);
  }
}

type BranchTask = Extract<GitTask, { url: string }>;
type ListTask = Extract<GitTask, { commit: string }>;
type ReadTask = Extract<GitTask, { oid: string }>;

async function findBranch({ url, branch }: BranchTask): Promise<FetchedBranch> {
  const prefix = branch === undefined ? 'HEAD' : `refs/heads/${branch}`;
  const refs = await git.listServerRefs({ http, url, prefix, symrefs: true });
  const found = refs.find(({ ref }) => ref === prefix);
  const name = (branch === undefined ? found?.target : found?.ref)?.replace(/^refs\/heads\//, '');
  if (found === undefined || name === undefined) throw new Failed('no_branch');
  return { branch: name, commit: found.oid };
}

/** Fetches the last commit of a branch, unless it is there. */
async function fetchBranch(task: BranchTask): Promise<FetchedBranch> {
  const { gitdir, url } = task;
  const found = await findBranch(task);
  if (await hasCommit(gitdir, found.commit)) return found;
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
  if (fetchHead === null) throw new Failed('no_branch');
  return { branch: found.branch, commit: fetchHead };
}

const hasCommit = (gitdir: string, oid: string) =>
  git.readCommit({ fs, gitdir, oid, cache }).then(
    () => true,
    () => false,
  );

/** The files of a commit, without recursion: trees may be nested deeply. */
async function list({ gitdir, commit, folder }: ListTask): Promise<GitListing> {
  const files: { path: string; oid: string }[] = [];
  let links = 0;
  let submodules = 0;
  let entries = 0;
  const trees = [{ path: folder, oid: await treeOf(gitdir, commit, folder) }];
  for (let at = trees.pop(); at; at = trees.pop()) {
    const { tree } = await git.readTree({ fs, gitdir, oid: at.oid, cache });
    for (const entry of tree) {
      if (++entries > MAX_ENTRIES) throw new Failed('too_many');
      const path = at.path === '' ? entry.path : `${at.path}/${entry.path}`;
      if (path.length > MAX_PATH) continue;
      if (entry.type === 'tree') trees.push({ path, oid: entry.oid });
      else if (entry.type === 'commit') submodules++;
      else if (isLink(entry)) links++;
      else files.push({ path, oid: entry.oid });
    }
  }
  return { files, links, submodules };
}

const isLink = ({ mode }: TreeEntry) => mode === '120000';

async function treeOf(gitdir: string, oid: string, folder: string): Promise<string> {
  let { oid: tree } = await git.readTree({ fs, gitdir, oid, cache });
  for (const part of folder.split('/')) {
    if (part === '') continue;
    const { tree: entries } = await git.readTree({ fs, gitdir, oid: tree, cache });
    const found = entries.find(({ path, type }) => path === part && type === 'tree');
    if (!found) throw new Failed('no_folder');
    tree = found.oid;
  }
  return tree;
}

async function read({ gitdir, oid, path, maxBytes }: ReadTask): Promise<null> {
  const { blob } = await git.readBlob({ fs, gitdir, oid, cache });
  if (blob.byteLength > maxBytes) throw new Failed('too_large');
  await fs.promises.writeFile(path, blob);
  return null;
}

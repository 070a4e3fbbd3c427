import { createHash } from 'node:crypto';

/** Files by their paths. */
type Files = Readonly<Record<string, string>>;

interface Listed {
  readonly path: string;
  readonly filename: string;
}

interface ManifestFile extends Listed {
  readonly checksum: string;
  readonly size?: number;
}

interface Diff {
  readonly added: readonly Listed[];
  readonly modified: readonly (Listed & { stale_file_id: string })[];
  readonly deleted: readonly (Listed & { file_id: string })[];
  readonly unmodified_count: number;
  readonly directory_map: Readonly<Record<string, string>>;
}

interface KnowledgeFiles {
  readonly items: readonly { readonly id: string; readonly filename: string }[];
  readonly total: number;
}

export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** Sends what oikb sends, in its order. */
export class OikbClient {
  constructor(
    private readonly url: string,
    private readonly id: string,
    private readonly credential: Readonly<Record<string, string>>,
  ) {}

  path(rest: string): string {
    return `knowledge/${this.id}/${rest}`;
  }

  async attempt(method: string, path: string, body?: unknown) {
    const response = await fetch(`${this.url}/open-webui/api/v1/${path}`, {
      method,
      headers: {
        ...this.credential,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  }

  diff(files: Files): Promise<Diff> {
    return this.diffOf(toManifest(files));
  }

  diffOf(manifest: readonly ManifestFile[]): Promise<Diff> {
    return this.succeed<Diff>('POST', this.path('sync/diff'), { manifest });
  }

  cleanUp(file_ids: readonly string[]): Promise<unknown> {
    return this.succeed('POST', this.path('sync/cleanup'), { file_ids });
  }

  list(): Promise<KnowledgeFiles> {
    return this.succeed('GET', this.path('files'));
  }

  reset(): Promise<unknown> {
    return this.succeed('POST', this.path('reset?include_directories=true'));
  }

  /** Synchronizes as `oikb sync` does. @returns the paths of the files that it uploaded */
  async sync(files: Files): Promise<{ uploaded: string[] }> {
    const diff = await this.diff(files);
    const stale = [
      ...diff.deleted.map(({ file_id }) => file_id),
      ...diff.modified.map(({ stale_file_id }) => stale_file_id),
    ];
    if (stale.length > 0) await this.cleanUp(stale);
    const uploaded: string[] = [];
    for (const { path, filename } of [...diff.added, ...diff.modified]) {
      const name = path === '' ? filename : `${path}/${filename}`;
      const text = files[name] ?? '';
      await this.upload(filename, text, { directory: diff.directory_map[path] });
      uploaded.push(name);
    }
    return { uploaded };
  }

  async upload(
    filename: string,
    text: string,
    {
      directory,
      checksum = sha256(text),
    }: { directory?: string | undefined; checksum?: string } = {},
  ): Promise<void> {
    const { status, body } = await this.uploadTo(directory, filename, text, checksum);
    if (status !== 200) throw new Error(`An upload was answered ${status}: ${body.detail}`);
  }

  async uploadTo(
    directory: string | undefined,
    filename: string,
    text: string,
    file_hash = sha256(text),
  ) {
    const form = new FormData();
    form.append('file', new Blob([text], { type: 'application/octet-stream' }), filename);
    const directory_id = directory === undefined ? {} : { directory_id: directory };
    form.append('metadata', JSON.stringify({ knowledge_id: this.id, file_hash, ...directory_id }));
    const response = await fetch(`${this.url}/open-webui/api/v1/files/`, {
      ...{ method: 'POST', headers: this.credential, body: form },
    });
    return { status: response.status, body: (await response.json()) as { detail: string } };
  }

  private async succeed<T>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await this.attempt(method, path, body);
    if (answer.status !== 200) throw new Error(`${path}: ${JSON.stringify(answer)}`);
    return answer.body as T;
  }
}

const toManifest = (files: Files): ManifestFile[] =>
  Object.entries(files).map(([name, text]) => {
    const end = name.lastIndexOf('/');
    return {
      ...{ path: name.slice(0, Math.max(0, end)), filename: name.slice(end + 1) },
      ...{ checksum: sha256(text), size: Buffer.byteLength(text) },
    };
  });

import { once } from 'node:events';
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Document, Page } from './answers.js';
import { type Client, created } from './client.js';
import { eventually } from './service.js';

export interface Source {
  id: string;
  state: string;
  config: object;
  has_credentials: boolean;
  next_run_at: string | null;
  last_synced_at: string | null;
}

export interface Counts {
  added: number;
  changed: number;
  deleted: number;
  unchanged: number;
  failed: number;
}

export interface SourceRun {
  id: string;
  status: string;
  preview: boolean;
  counts: Counts;
  listed: number;
  errors: { key: string | null; code: string; message: string }[];
  ended_at: string | null;
}

/** Where the folders are that tests change; apart from DATA_DIR of the services. */
export const SOURCE_FOLDERS = join(process.env['LATCHKEY_TEST_DIR'] ?? tmpdir(), 'source-folders');

/** A folder that tests change. */
export class TestFolder {
  readonly path: string;

  constructor() {
    mkdirSync(SOURCE_FOLDERS, { recursive: true });
    this.path = realpathSync(mkdtempSync(join(SOURCE_FOLDERS, 'folder-')));
  }

  write(name: string, text: string): void {
    mkdirSync(dirname(join(this.path, name)), { recursive: true });
    writeFileSync(join(this.path, name), text);
  }

  move(name: string, to: string): void {
    mkdirSync(dirname(join(this.path, to)), { recursive: true });
    renameSync(join(this.path, name), join(this.path, to));
  }

  remove(name = '.'): void {
    rmSync(join(this.path, name), { recursive: true });
  }
}

/** A website that tests change. */
export class TestSite {
  readonly pages = new Map<string, string>();
  /** Paths that are answered by 500. */
  readonly broken = new Set<string>();
  requests = 0;

  private constructor(private readonly server: Server) {
    server.on('request', ({ url = '' }: IncomingMessage, response: ServerResponse) => {
      this.requests++;
      const body = this.pages.get(url);
      const status = this.broken.has(url) ? 500 : body === undefined ? 404 : 200;
      response.writeHead(status, { 'content-type': 'text/html' }).end(body);
    });
  }

  static async start(): Promise<TestSite> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new TestSite(server);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }
}

/** What tests do with the sources of a knowledge base. */
export class Sources {
  constructor(
    private readonly client: Client,
    readonly kbId: string,
  ) {}

  async connect(type: string, config: object, more: object = {}): Promise<Source> {
    const body = { type, name: 'Docs', config, ...more };
    return created(await this.client.post<Source>(`/kbs/${this.kbId}/sources`, body), 201);
  }

  async get(id: string): Promise<Source> {
    return (await this.client.get<Source>(`/sources/${id}`)).body;
  }

  async begin(id: string, options: object = {}): Promise<SourceRun> {
    return created(await this.client.post<SourceRun>(`/sources/${id}/run`, options), 202);
  }

  /** Runs a source and waits for the end. */
  async run(id: string, options: object = {}, timeoutMs?: number): Promise<SourceRun> {
    return this.ended(id, (await this.begin(id, options)).id, timeoutMs);
  }

  async ended(id: string, runId: string, timeoutMs = 120_000): Promise<SourceRun> {
    let run: SourceRun | undefined;
    await eventually(async () => {
      run = (await this.runs(id)).find((one) => one.id === runId);
      return run !== undefined && run.status !== 'running';
    }, timeoutMs);
    if (!run) throw new Error('unreachable');
    return run;
  }

  async runs(id: string): Promise<SourceRun[]> {
    return (await this.client.get<Page<SourceRun>>(`/sources/${id}/runs?limit=100`)).body.data;
  }

  async documents(): Promise<SyncedDocument[]> {
    const documents: SyncedDocument[] = [];
    for (let cursor = ''; ;) {
      const path = `/kbs/${this.kbId}/documents?limit=100${cursor}`;
      const { data, next_cursor } = (await this.client.get<Page<SyncedDocument>>(path)).body;
      documents.push(...data);
      if (next_cursor === null) return documents;
      cursor = `&cursor=${encodeURIComponent(next_cursor)}`;
    }
  }

  async titles(): Promise<string[]> {
    return (await this.documents()).map(({ title }) => title).sort();
  }
}

export type SyncedDocument = Document & {
  title: string;
  sha256: string;
  source_id: string | null;
  synced_at: string | null;
  source_url: string | null;
};

import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { readAllPages, type Client } from './client.js';
import type { Document } from '@latchkey/client';

/** The metadata field with the folder from which a document was sent. */
export const SOURCE_FIELD = 'ingested_from';

/** A file of the folder, as it is sent. */
interface FileToSend {
  readonly path: string;
  /** The path in the folder, which is the document's external id. */
  readonly file: string;
  readonly title: string;
  readonly content: Buffer<ArrayBuffer>;
  /** Identifies the folder. */
  readonly source: string;
}

export interface Sent {
  readonly document: Document;
  readonly outcome: 'added' | 'unchanged';
}

/** The knowledge base that documents are sent to. */
export interface Destination {
  send(file: FileToSend): Promise<Sent>;
  get(document: Document): Promise<Document>;
  list(): Promise<Document[]>;
  delete(document: Document): Promise<void>;
}

/** Sends documents as a dashboard user, who names the knowledge base. */
export class KnowledgeBaseDestination implements Destination {
  constructor(
    private readonly client: Client,
    private readonly kbId: string,
    private readonly charset?: string,
  ) {}

  async send({ path, file, title, content, source }: FileToSend): Promise<Sent> {
    const kb = { kb_id: this.kbId };
    const { data } = await this.client.get('/api/v1/kbs/{kb_id}/documents', {
      path: kb,
      query: { external_id: file },
    });
    const [existing] = data;
    const isSame = existing?.sha256 === createHash('sha256').update(content).digest('hex');
    // The encoding that the existing content was sent with is unknown.
    if (isSame && this.charset === undefined) {
      return { document: existing, outcome: 'unchanged' };
    }
    const form = new FormData();
    form.set('title', title);
    form.set('external_id', file);
    form.set('metadata', JSON.stringify(buildMetadata(existing, source)));
    // Content that already exists under another name is not added again.
    form.set('on_duplicate', existing ? 'replace' : 'skip');
    if (this.charset !== undefined) form.set('charset', this.charset);
    form.set('file', new Blob([content]), basename(path));
    return sendDocument(async (onResponse) => {
      const request = { path: kb, body: form, onResponse };
      const added = await this.client.post('/api/v1/kbs/{kb_id}/documents', request);
      // Archives are not among the files that are sent.
      if ('documents' in added) throw new TypeError(`${file} is an archive`);
      return added;
    });
  }

  get({ id }: Document): Promise<Document> {
    const path = { document_id: id };
    return this.client.get('/api/v1/documents/{document_id}', { path });
  }

  list(): Promise<Document[]> {
    return readAllPages((query) =>
      this.client.get('/api/v1/kbs/{kb_id}/documents', { path: { kb_id: this.kbId }, query }),
    );
  }

  async delete({ id }: Document): Promise<void> {
    const path = { document_id: id };
    await this.client.delete('/api/v1/documents/{document_id}', { path });
  }
}

/** Sends documents with an API key, which belongs to a knowledge base. */
export class ApiKeyDestination implements Destination {
  constructor(
    private readonly client: Client,
    private readonly charset?: string,
  ) {}

  async send({ path, file, title, content, source }: FileToSend): Promise<Sent> {
    const form = new FormData();
    form.set('title', title);
    form.set('metadata', JSON.stringify({ [SOURCE_FIELD]: source }));
    if (this.charset !== undefined) form.set('charset', this.charset);
    form.set('file', new Blob([content]), basename(path));
    return sendDocument((onResponse) =>
      this.client.put('/api/v1/ingest/documents/{external_id}', {
        path: { external_id: file },
        body: form,
        onResponse,
      }),
    );
  }

  get({ external_id: externalId }: Document): Promise<Document> {
    const path = { external_id: String(externalId) };
    return this.client.get('/api/v1/ingest/documents/{external_id}', { path });
  }

  list(): Promise<Document[]> {
    return readAllPages((query) => this.client.get('/api/v1/ingest/documents', { query }));
  }

  async delete({ external_id: externalId }: Document): Promise<void> {
    const path = { external_id: String(externalId) };
    await this.client.delete('/api/v1/ingest/documents/{external_id}', { path });
  }
}

/** Sends a document; 202 says that it is new or has changed. */
async function sendDocument(
  send: (onResponse: (response: { status: number }) => void) => Promise<Document>,
): Promise<Sent> {
  let status = 0;
  const document = await send((response) => {
    status = response.status;
  });
  return { document, outcome: status === 202 ? 'added' : 'unchanged' };
}

/** Marks only documents created from a folder, since `--delete-missing` must not delete others. */
function buildMetadata(existing: Document | undefined, source: string): Record<string, unknown> {
  const isFromFolder = !existing || existing.metadata[SOURCE_FIELD] !== undefined;
  return { ...existing?.metadata, ...(isFromFolder && { [SOURCE_FIELD]: source }) };
}

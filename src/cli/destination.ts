import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { answer, everyPage, type Latchkey } from './client.js';
import type { components } from './latchkey.js';

export type Document = components['schemas']['DocumentDto'];

/** The metadata field with the folder from which a document was sent. */
export const SOURCE_FIELD = 'ingested_from';

/** A file of the folder, as it is sent. */
export interface FileToSend {
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

/** As a dashboard user, who names the knowledge base. */
export class KnowledgeBaseDestination implements Destination {
  constructor(
    private readonly client: Latchkey,
    private readonly kbId: string,
  ) {}

  async send({ path, file, title, content, source }: FileToSend): Promise<Sent> {
    const params = { path: { kb_id: this.kbId } };
    const { data } = await answer(
      this.client.GET('/api/v1/kbs/{kb_id}/documents', {
        params: { ...params, query: { external_id: file } },
      }),
    );
    const [existing] = data;
    if (existing?.sha256 === createHash('sha256').update(content).digest('hex')) {
      return { document: existing, outcome: 'unchanged' };
    }
    const form = new FormData();
    form.set('title', title);
    form.set('external_id', file);
    form.set('metadata', JSON.stringify(metadataFor(existing, source)));
    // Content that exists under another name is not added again.
    form.set('on_duplicate', existing ? 'replace' : 'skip');
    form.set('file', new Blob([content]), basename(path));
    const sending = this.client.POST('/api/v1/kbs/{kb_id}/documents', {
      params,
      // The form is the body; the client's types know the JSON body only.
      body: { title, text: '' },
      bodySerializer: () => form,
    });
    const document = await answer(sending);
    const { status } = (await sending).response;
    return { document, outcome: status === 202 ? 'added' : 'unchanged' };
  }

  get({ id }: Document): Promise<Document> {
    const params = { path: { document_id: id } };
    return answer(this.client.GET('/api/v1/documents/{document_id}', { params }));
  }

  list(): Promise<Document[]> {
    return everyPage((query) =>
      this.client.GET('/api/v1/kbs/{kb_id}/documents', {
        params: { path: { kb_id: this.kbId }, query },
      }),
    );
  }

  async delete({ id }: Document): Promise<void> {
    const params = { path: { document_id: id } };
    await answer(this.client.DELETE('/api/v1/documents/{document_id}', { params }));
  }
}

/** With an API key, which names the knowledge base. */
export class ApiKeyDestination implements Destination {
  constructor(private readonly client: Latchkey) {}

  async send({ path, file, title, content, source }: FileToSend): Promise<Sent> {
    const form = new FormData();
    form.set('title', title);
    form.set('metadata', JSON.stringify({ [SOURCE_FIELD]: source }));
    form.set('file', new Blob([content]), basename(path));
    const sending = this.client.PUT('/api/v1/ingest/documents/{external_id}', {
      params: { path: { external_id: file } },
      body: { title, text: '' },
      bodySerializer: () => form,
    });
    const document = await answer(sending);
    const { status } = (await sending).response;
    return { document, outcome: status === 202 ? 'added' : 'unchanged' };
  }

  get({ external_id: externalId }: Document): Promise<Document> {
    const params = { path: { external_id: String(externalId) } };
    return answer(this.client.GET('/api/v1/ingest/documents/{external_id}', { params }));
  }

  list(): Promise<Document[]> {
    return everyPage((query) => this.client.GET('/api/v1/ingest/documents', { params: { query } }));
  }

  async delete({ external_id: externalId }: Document): Promise<void> {
    const params = { path: { external_id: String(externalId) } };
    await answer(this.client.DELETE('/api/v1/ingest/documents/{external_id}', { params }));
  }
}

/** Only documents created from a folder are marked; `--delete-missing` must not delete others. */
function metadataFor(existing: Document | undefined, source: string): Record<string, unknown> {
  const isFromFolder = !existing || existing.metadata[SOURCE_FIELD] !== undefined;
  return { ...existing?.metadata, ...(isFromFolder && { [SOURCE_FIELD]: source }) };
}

import { Readable } from 'node:stream';
import { findTypeByName } from '../readable-file.js';
import {
  type OpenSource,
  type SourceContent,
  type SourceContext,
  type SourceEntry,
  SourceError,
} from '../source-kind.js';
import { streamBody, toStatusError } from '../throttled-client.js';
import type { ConfluenceClient } from './confluence-client.js';
import type { Edition, WikiAttachment, WikiPage } from './edition.js';
import { storageToHtml } from './storage-format.js';

/** The pages of a space and their attachments, which have the access rules of their page. */
export class OpenConfluence implements OpenSource {
  /** The download paths of listed attachments, by key. */
  private readonly downloads = new Map<string, string>();

  constructor(
    private readonly edition: Edition,
    private readonly client: ConfluenceClient,
    private readonly context: SourceContext,
  ) {}

  async *list(): AsyncIterable<SourceEntry> {
    let listed = 0;
    let unreadable = 0;
    for await (const page of this.edition.listPages()) {
      if (page.access === 'unreadable') unreadable++;
      const readable = page.attachments.filter(({ title }) => findTypeByName(title) !== undefined);
      const entries = [this.toEntry(page), ...readable.map((one) => this.toAttachment(one, page))];
      for (const entry of entries) {
        if (++listed > this.context.limits.maxEntries) {
          throw new SourceError('too_many_documents', 'The space has too many pages and files.');
        }
        yield entry;
      }
    }
    if (unreadable > 0) {
      this.context.warn(`Who may read ${unreadable} pages cannot be found out.`);
    }
  }

  async load({ key, title = '' }: SourceEntry): Promise<SourceContent> {
    const download = this.downloads.get(key);
    if (download !== undefined) return this.loadAttachment(download, title);
    const storage = await this.edition.readBody(key.replace(/^page:/, ''));
    const html = Buffer.from(storageToHtml(storage, title));
    if (html.byteLength > this.context.limits.maxBytes) {
      throw new SourceError('too_large', 'The page is too large.');
    }
    return { body: Readable.from([html]), mimeType: 'text/html', fileName: 'page.html', title };
  }

  private async loadAttachment(path: string, fileName: string): Promise<SourceContent> {
    const response = await this.client.download(path);
    if (!response.ok) {
      await response.body?.cancel();
      throw toStatusError(this.client.base, response.status);
    }
    const body = streamBody(response, this.context.limits.maxBytes);
    const mimeType = findTypeByName(fileName);
    return { body, fileName, title: fileName, ...(mimeType !== undefined && { mimeType }) };
  }

  private toEntry({ id, title, version, modifiedAt, path, access }: WikiPage): SourceEntry {
    return {
      key: `page:${id}`,
      version,
      url: this.client.resolveAddress(path),
      title,
      mimeType: 'text/html',
      ...(modifiedAt && { modifiedAt }),
      ...(access && { access }),
    };
  }

  private toAttachment(attachment: WikiAttachment, { path, access }: WikiPage): SourceEntry {
    const { id, title, version, size, downloadPath } = attachment;
    const key = `attachment:${id}`;
    this.downloads.set(key, downloadPath);
    return {
      key,
      version,
      url: this.client.resolveAddress(path),
      title,
      ...(size !== undefined && { size }),
      ...(access && { access }),
    };
  }
}

import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FetchMessageObject, ImapFlow } from 'imapflow';
import { type AccessMap, findAccess } from '../access-map.js';
import {
  type OpenSource,
  type SourceContent,
  type SourceContext,
  type SourceEntry,
  SourceError,
} from '../source-kind.js';
import { chooseFolders, type MailFolder } from './choose-folders.js';
import {
  connectImap,
  type ImapCredentials,
  type ServerAddress,
  toSourceError,
} from './imap-server.js';

export interface ImapConfig {
  readonly url: string;
  /** `*` stands for any characters. */
  readonly folders?: readonly string[];
  /** A day, such as `2025-01-31`: messages that arrived before it are left out. */
  readonly since?: string;
  /** Rules by the name of the folder. */
  readonly access?: AccessMap;
}

const BATCH = 500;
/** A server that answers without an end does not keep a run busy for hours. */
const MAX_COMMAND_MS = 300_000;
/** What a command may bring besides a message: the limits of a line hold for one at a time. */
const MAX_COMMAND_BYTES = 64 * 1024 * 1024;
const LOOK_MS = 200;

interface Found {
  readonly folder: MailFolder;
  readonly uidValidity: bigint;
  readonly uid: number;
}

/** The messages of some folders of a mailbox, read by one connection. */
export class OpenMailbox implements OpenSource {
  private readonly messages = new Map<string, Found>();
  private client: ImapFlow | undefined;

  constructor(
    private readonly server: ServerAddress,
    private readonly config: ImapConfig,
    private readonly credentials: ImapCredentials,
    private readonly context: SourceContext,
  ) {}

  get access(): AccessMap | undefined {
    return this.config.access;
  }

  /** @throws SourceError when it cannot be reached, or has no such folders */
  async findFolders(): Promise<MailFolder[]> {
    const client = await this.connect();
    const listed = await this.command(client.list({ listOnly: true }));
    return chooseFolders(listed, this.config.folders ?? ['INBOX']);
  }

  async *list(): AsyncIterable<SourceEntry> {
    for (const folder of await this.findFolders()) {
      yield* await this.readFolder(folder);
      this.context.found?.(this.messages.size);
    }
  }

  async load({ key, title }: SourceEntry): Promise<SourceContent> {
    const found = this.messages.get(key);
    if (!found) throw gone();
    const { maxBytes } = this.context.limits;
    const { folder, uid } = found;
    const client = await this.connect();
    if (client.mailbox === false || client.mailbox.path !== folder.path) {
      await this.command(client.mailboxOpen(folder.path, { readOnly: true }));
    }
    // Of a folder that was made anew, the number may be another message's.
    if (client.mailbox === false || client.mailbox.uidValidity !== found.uidValidity) throw gone();
    const source = { start: 0, maxLength: maxBytes + 1 };
    const message = await this.command(client.fetchOne(String(uid), { source }, { uid: true }));
    if (!message || !message.source) throw gone();
    if (message.source.length > maxBytes) {
      throw new SourceError('too_large', `It is larger than ${maxBytes} bytes.`);
    }
    const body = Readable.from([message.source], { objectMode: false });
    const named = title !== undefined && { title };
    return { body, mimeType: 'message/rfc822', fileName: `${uid}.eml`, ...named };
  }

  close(): Promise<void> {
    this.client?.close();
    return Promise.resolve();
  }

  private async connect(): Promise<ImapFlow> {
    if (this.client?.usable !== true) {
      this.client?.close();
      this.client = await connectImap(this.server, this.credentials, this.context);
    }
    return this.client;
  }

  private async readFolder(folder: MailFolder): Promise<SourceEntry[]> {
    const client = await this.connect();
    const mailbox = await this.command(client.mailboxOpen(folder.path, { readOnly: true }));
    const { uidValidity } = mailbox;
    if (mailbox.exists === 0) return [];
    const { since } = this.config;
    const query = since === undefined ? { all: true } : { since: new Date(since) };
    const uids = await this.search(client, query);
    const entries: SourceEntry[] = [];
    for (let start = 0; start < uids.length; start += BATCH) {
      const batch = new Set(uids.slice(start, start + BATCH));
      await this.command(
        this.fetch(client, batch, (message) => {
          const key = `${folder.name}/${uidValidity}-${message.uid}`;
          this.messages.set(key, { folder, uidValidity, uid: message.uid });
          entries.push({ key, ...describe(message), ...findAccess(this.config.access, key) });
        }),
      );
      // What is left was deleted meanwhile, or the server does not tell everything.
      if (batch.size > 0 && (await this.search(client, { uid: [...batch].join(',') })).length > 0) {
        throw incomplete();
      }
    }
    return entries;
  }

  /** Removes from `uids` each message that it hands on. */
  private async fetch(
    client: ImapFlow,
    uids: Set<number>,
    add: (message: FetchMessageObject) => void,
  ): Promise<void> {
    const query = { uid: true, envelope: true, internalDate: true, size: true };
    for await (const message of client.fetch([...uids], query, { uid: true })) {
      // A server may send messages that nobody asked for.
      if (uids.delete(message.uid)) add(message);
    }
  }

  private async search(
    client: ImapFlow,
    query: Parameters<ImapFlow['search']>[0],
  ): Promise<number[]> {
    const found = await this.command(client.search(query, { uid: true }));
    if (!found) throw incomplete();
    if (this.messages.size + found.length > this.context.limits.maxEntries) {
      const message = 'The folders have too many messages. Narrow them by folders or since.';
      throw new SourceError('too_many_documents', message);
    }
    return found;
  }

  private countReceived(): number {
    return this.client?.stats().received ?? 0;
  }

  /** @throws SourceError also when the server does not end its answer */
  private async command<T>(answer: Promise<T>): Promise<T> {
    const stop = () => this.client?.close();
    const timer = setTimeout(stop, MAX_COMMAND_MS);
    const most = this.countReceived() + this.context.limits.maxBytes + MAX_COMMAND_BYTES;
    const looking = setInterval(() => {
      if (this.countReceived() > most) stop();
    }, LOOK_MS);
    this.context.signal.addEventListener('abort', stop, { once: true });
    try {
      return await answer;
    } catch (error) {
      throw toSourceError(error);
    } finally {
      clearTimeout(timer);
      clearInterval(looking);
      this.context.signal.removeEventListener('abort', stop);
    }
  }
}

function describe({ envelope = {}, internalDate, size, emailId }: FetchMessageObject) {
  const { subject = '', messageId = '', from = [], date } = envelope;
  const arrivedAt = toDate(internalDate);
  const modifiedAt = arrivedAt ?? toDate(date);
  const title = subject.trim() || (from[0]?.name ?? '') || (from[0]?.address ?? '');
  // A message never changes. These say which one it is in any folder, and only the server sets when it came.
  const marks = [messageId, arrivedAt, size, subject, from[0]?.address, date];
  const hash = createHash('sha256').update(JSON.stringify(marks)).digest('hex');
  const isKnown = emailId !== undefined || (messageId !== '' && arrivedAt !== undefined);
  return {
    version: emailId === undefined ? hash : `id ${emailId}`,
    ...(isKnown && { versionIsOfContent: true as const }),
    // The standard form of a link to a message, which mail programs open.
    url: messageId === '' ? '' : `mid:${encodeURIComponent(messageId.replace(/^<|>$/g, ''))}`,
    mimeType: 'message/rfc822',
    ...(title !== '' && { title }),
    ...(size !== undefined && { size }),
    ...(modifiedAt && { modifiedAt }),
  };
}

function toDate(value: Date | string | undefined): Date | undefined {
  const date = new Date(value ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

const gone = () => new SourceError('not_found', 'The message is not there any more.');

const incomplete = () =>
  new SourceError('incomplete_listing', 'The mail server does not tell all messages of a folder.');

import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { type AskedList, isListed } from '@latchkey/quoting/asked-list';
import { combineFilters, type MetadataFilter } from '@latchkey/ranking/metadata-filter';
import { toCitedDocument } from '../documents/closed-documents.js';
import { DocumentTitles, type ListedDocument } from '../documents/document-titles.js';
import type { SearchedKnowledgeBase } from './asked-knowledge-bases.js';

/** The number of documents that an answer names. */
const MAX_NAMED = 20;
const MAX_TITLE_LENGTH = 200;
/** Of more documents than these only all are counted, and not those about something. */
const MAX_READ = 1000;
/** Documents that are read between two turns of the event loop. */
const BATCH = 100;

/** An answer from the list of documents. */
export interface DocumentList {
  readonly text: string;
  readonly total: number;
  /** The documents that it names; see toCitedDocument. */
  readonly documentIds: readonly string[];
}

/** Answers questions about which documents there are, from their titles and metadata. */
@Injectable()
export class DocumentLists {
  constructor(private readonly documents: DocumentTitles) {}

  /**
   * @param kbId of the conversation
   * @param filter of the request
   * @returns undefined if no document fits, or there are too many to read
   */
  async answer(
    kbId: string,
    knowledgeBases: readonly SearchedKnowledgeBase[],
    asked: AskedList,
    filter: MetadataFilter | undefined,
  ): Promise<DocumentList | undefined> {
    const named: { readonly title: string; readonly documentId: string }[] = [];
    let total = 0;
    for (const { kbId: ownKbId, scope } of knowledgeBases) {
      const own = { ...scope, filter: combineFilters(scope.filter, filter) };
      const found = await this.find(asked, ownKbId, own);
      if (!found) return undefined;
      total += found.total;
      for (const { id, title } of found.documents) {
        const documentId = toCitedDocument({ kb_id: ownKbId, document_id: id }, kbId);
        named.push({ title: toLine(title), documentId });
      }
    }
    if (total === 0) return undefined;
    const shown = named.slice(0, MAX_NAMED);
    const lines = shown.map(({ title }) => `- ${title}`);
    // Numbers and titles are the same in every language.
    const text = [
      ...(asked.counts || total > shown.length ? [`${total}\n`] : []),
      ...lines,
      ...(total > shown.length ? ['- …'] : []),
    ].join('\n');
    return { text, total, documentIds: shown.map(({ documentId }) => documentId) };
  }

  /** The documents that a list has, the first of them; undefined if there are too many to read. */
  private async find(
    asked: AskedList,
    kbId: string,
    scope: SearchedKnowledgeBase['scope'],
  ): Promise<{ documents: readonly ListedDocument[]; total: number } | undefined> {
    if (asked.about.size === 0) {
      const documents = await this.documents.list(kbId, scope, MAX_NAMED);
      return { documents, total: await this.documents.count(kbId, scope) };
    }
    const documents = await this.documents.list(kbId, scope, MAX_READ + 1);
    if (documents.length > MAX_READ) return undefined;
    const listed: ListedDocument[] = [];
    for (let start = 0; start < documents.length; start += BATCH) {
      if (start > 0) await setImmediate();
      const batch = documents.slice(start, start + BATCH);
      listed.push(
        ...batch.filter(({ title, metadata }) => isListed(asked, title, toTexts(metadata))),
      );
    }
    return { documents: listed.slice(0, MAX_NAMED), total: listed.length };
  }
}

const toLine = (title: string): string =>
  title.replace(/\s+/g, ' ').slice(0, MAX_TITLE_LENGTH).toWellFormed();

const toTexts = (metadata: object): string[] =>
  Object.values(metadata)
    .flat()
    .filter((value) => typeof value === 'string');

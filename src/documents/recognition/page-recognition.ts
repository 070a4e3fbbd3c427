import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Not, Repository } from 'typeorm';
import type { RecognitionResult } from '@latchkey/extraction/recognition/recogniser';
import type { Lease } from '../../knowledge-bases/job-queue.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import type { Settings } from '../../knowledge-bases/settings/settings.js';
import { DocumentContents } from '../contents/document-contents.js';
import type { Document } from '../document.entity.js';
import { IngestionQueue } from '../ingestion-queue.js';
import { RecognisedPage } from './recognised-page.entity.js';
import { RecognitionProcess } from './recognition-process.js';

/**
 * The number of pages recognised per turn, after which the document is published again: as many as it
 * already has, so that long documents are not published too often.
 */
const MIN_PAGES = 4;
const MAX_PAGES = 40;
/** The maximum number of documents whose pages to recognise are kept in memory. */
const MAX_WAITING = 100;
/** Media types that may need recognition: nearly all but plain text can contain pictures. */
const HAS_PICTURES = /^(?:application\/|image\/|message\/|text\/html$)/;

/** Recognises and stores the text of scanned pages. */
@Injectable()
export class PageRecognition {
  private readonly waiting = new Map<string, readonly number[]>();

  constructor(
    @InjectRepository(RecognisedPage) private readonly pages: Repository<RecognisedPage>,
    private readonly process: RecognitionProcess,
    private readonly contents: DocumentContents,
    private readonly queue: IngestionQueue,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Returns the text already recognised in the current contents, as JSON, by document id.
   *
   * @param page restricts the result to this page
   */
  async findPages(documents: readonly Document[], page?: number): Promise<Map<string, string[]>> {
    const drawn = documents.filter(({ mimeType }) => HAS_PICTURES.test(mimeType));
    if (drawn.length === 0) return new Map();
    const rows = await this.pages.findBy({
      documentId: In(drawn.map(({ id }) => id)),
      source: In([...new Set(drawn.map(toSourceKey))]),
      ...(page !== undefined && { page }),
    });
    const found = Map.groupBy(rows, ({ documentId }) => documentId);
    return new Map([...found].map(([id, pages]) => [id, pages.map(({ text }) => text)]));
  }

  /** Forgets failed pages, so that they are tried again when documents are indexed again. */
  async forgetFailed(documents: readonly Document[]): Promise<void> {
    const drawn = documents.filter(({ mimeType }) => HAS_PICTURES.test(mimeType));
    const failed = { documentId: In(drawn.map(({ id }) => id)), isFailed: true };
    if (drawn.length === 0 || !(await this.pages.existsBy(failed))) return;
    await this.unitOfWork.run((manager) => manager.delete(RecognisedPage, failed));
  }

  /**
   * Recognises the next pages of a document, and stores each as soon as it is done.
   *
   * @param pages all pages that are still to be recognised
   * @throws Unreadable
   */
  async recognise(
    lease: Lease<Document>,
    pages: readonly number[],
    signal: AbortSignal,
  ): Promise<void> {
    const { row } = lease;
    const content = (await this.contents.read([row.id])).get(row.id);
    if (!Buffer.isBuffer(content)) return;
    const source = toSourceKey(row);
    const known = await this.pages.find({
      select: { page: true, languages: true },
      where: { documentId: row.id, source },
    });
    await this.unitOfWork.run((manager) =>
      manager.delete(RecognisedPage, { documentId: row.id, source: Not(source) }),
    );
    const done = new Set(known.map(({ page }) => page));
    const count = Math.min(Math.max(MIN_PAGES, known.length), MAX_PAGES);
    const task = {
      mimeType: row.mimeType,
      content,
      // Another process may have recognised some of them in the meantime.
      pages: pages.filter((page) => !done.has(page)).slice(0, count),
      languages: getLanguages(row) ?? findLanguages(known),
    };
    await this.process.recognise(
      task,
      (page, recognition) => this.keep(lease, page, recognition),
      signal,
    );
  }

  /** Takes the pages that were still to be recognised when this process last read the document. */
  takeWaiting(row: Document, settings: OcrSettings): readonly number[] | undefined {
    const key = toWaitingKey(row, settings);
    const pages = this.waiting.get(key);
    this.waiting.delete(key);
    return pages;
  }

  keepWaiting(row: Document, settings: OcrSettings, pages: readonly number[]): void {
    const [oldest] = this.waiting.keys();
    if (this.waiting.size >= MAX_WAITING && oldest !== undefined) this.waiting.delete(oldest);
    if (pages.length > 0) this.waiting.set(toWaitingKey(row, settings), pages);
  }

  private async keep(
    lease: Lease<Document>,
    page: number,
    recognition: RecognitionResult | null,
  ): Promise<void> {
    const { row } = lease;
    const failed = { number: page, height: 0, rows: [], confidence: 0, isFailed: true };
    await this.unitOfWork.run(async (manager) => {
      // The document may have been deleted or replaced in the meantime.
      if (!(await this.queue.lockHeld(manager, [lease])).has(row.id)) return;
      const recognised = {
        documentId: row.id,
        page,
        source: toSourceKey(row),
        languages: recognition?.page.rows.length ? recognition.languages.join() : '',
        isFailed: recognition === null,
        text: JSON.stringify(recognition?.page ?? failed),
      };
      await manager.upsert(RecognisedPage, recognised, ['documentId', 'page']);
    });
  }
}

const getLanguages = ({ languages, declaredLanguage }: Document): string[] | null =>
  languages ?? (declaredLanguage === null ? null : [declaredLanguage]);

/** Returns the languages of the first page that has text. */
const findLanguages = (pages: readonly Pick<RecognisedPage, 'languages'>[]): string[] =>
  pages.find(({ languages }) => languages !== '')?.languages.split(',') ?? [];

type OcrSettings = Pick<Settings, 'ocr' | 'ocrMaxPages'>;

const toWaitingKey = (row: Document, { ocr, ocrMaxPages }: OcrSettings): string =>
  [row.id, toSourceKey(row), ocr, ocrMaxPages].join();

const toSourceKey = (document: Document): string =>
  [document.sha256, ...(getLanguages(document) ?? [])].join(',');

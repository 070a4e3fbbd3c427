import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Unreadable } from '@latchkey/extraction/unreadable';
import type { DocumentView } from '@latchkey/extraction/view/view-document';
import { Between, Repository } from 'typeorm';
import { WorkerUnavailableError } from '../../platform/jobs/worker-errors.js';
import { firstIdAt, isTypeId } from '../../platform/http/type-id.js';
import { Problem } from '../../platform/problems/problem.js';
import { ContentStoreError } from '../../documents/contents/content-store.js';
import { DocumentContents } from '../../documents/contents/document-contents.js';
import type { Document } from '../../documents/document.entity.js';
import { Extractor } from '../../documents/ingestion/extractor.js';
import { Passage } from '../../documents/passage.entity.js';
import { PageRecognition } from '../../documents/recognition/page-recognition.js';
import { DrawingTurns } from './drawing-turns.js';

/**
 * Documents whose pages are drawn as images. In all others, numbers of recognised pictures are not page
 * numbers.
 */
const HAS_PAGES = /^(?:application\/pdf$|image\/)/;

/** The number of passages before and after the requested one that get anchors in HTML. */
const PASSAGES_AROUND = 200;
const READ_AGAIN =
  'The document was read again since it was cited. The cited words that remain are marked.';

/** The part of a document to show. */
export interface PageOfDocument {
  /** The page number, from 1; by default the page of the passage. */
  readonly page?: number | undefined;
  /** The id of a passage to mark. */
  readonly highlight?: string | undefined;
}

/** The clocks of processes differ by less than this. */
const CLOCK_SKEW_MS = 60_000;

/** Whether an id may belong to a passage that no longer exists, of a document created at the given time. */
const isPassageSince = (createdAt: Date, id: string | undefined): boolean =>
  isTypeId('chunk', id) && id >= firstIdAt('chunk', createdAt.getTime() - CLOCK_SKEW_MS);

/** Renders documents page by page, with a passage marked. */
@Injectable()
export class PageViews {
  private readonly logger = new Logger(PageViews.name);

  constructor(
    @InjectRepository(Passage) private readonly passages: Repository<Passage>,
    private readonly contents: DocumentContents,
    private readonly recognition: PageRecognition,
    private readonly extractor: Extractor,
    private readonly turns: DrawingTurns,
  ) {}

  /**
   * @param reader the credential of the request
   * @throws Problem `not_found`, `content_not_found`, `page_unreadable`, `rate_limited`,
   *   `worker_unavailable`, `content_store_unavailable`
   */
  async view(reader: string, document: Document, wanted: PageOfDocument): Promise<DocumentView> {
    const { highlight: id, page } = wanted;
    const found = id === undefined ? null : await this.passages.findOneBy({ id });
    const passage = found?.documentId === document.id ? found : null;
    const isKnown = passage !== null || (!found && isPassageSince(document.createdAt, id));
    if (!isKnown && page === undefined) throw new Problem('not_found');
    // If the document was indexed again since, the cited words are searched in its current text.
    const isStale = isKnown && passage?.version !== document.version;
    const view = await this.turns.run(reader, () => this.draw(document, passage, page, isStale));
    if (!view) throw new Problem('not_found');
    return view;
  }

  private async draw(
    document: Document,
    passage: Passage | null,
    page = passage?.page ?? undefined,
    isStale = false,
  ): Promise<DocumentView | null> {
    const { id, mimeType, charset, title, language } = document;
    try {
      const content = (await this.contents.read([id])).get(id);
      if (!Buffer.isBuffer(content)) throw new Problem('content_not_found');
      const hasPages = HAS_PAGES.test(mimeType);
      const only = hasPages ? page : undefined;
      const recognised = await this.recognition.findPages([document], only);
      return await this.extractor.view({
        mimeType,
        charset,
        content,
        title,
        language,
        page: page ?? null,
        passage: passage && { id: passage.id, text: passage.text, locator: passage.locator },
        passages: hasPages ? [] : await this.passagesAround(document, isStale ? null : passage),
        note: isStale ? READ_AGAIN : null,
        recognised: recognised.get(id) ?? [],
      });
    } catch (error) {
      throw this.toProblem(error);
    }
  }

  /** Finds the passages that may be on the page, for its anchors. */
  private passagesAround(
    { id: documentId, version }: Document,
    passage: Passage | null,
  ): Promise<Pick<Passage, 'id' | 'text'>[]> {
    if (version === null) return Promise.resolve([]);
    const from = Math.max(0, (passage?.position ?? 0) - PASSAGES_AROUND);
    return this.passages.find({
      select: { id: true, text: true },
      where: { documentId, version, position: Between(from, from + 2 * PASSAGES_AROUND) },
      order: { position: 'ASC' },
    });
  }

  private toProblem(error: unknown): unknown {
    if (error instanceof Unreadable) {
      return new Problem('page_unreadable', { detail: error.message });
    }
    const isStore = error instanceof ContentStoreError;
    if (!isStore && !(error instanceof WorkerUnavailableError)) return error;
    this.logger.error(error);
    return new Problem(isStore ? 'content_store_unavailable' : 'worker_unavailable');
  }
}

import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, MoreThan, Not, Repository } from 'typeorm';
import { rowLock } from '../../platform/database/dialect.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { DocumentContent } from '../document-content.entity.js';
import { Document } from '../document.entity.js';
import { ContentMissingError, type ContentSource, type ContentStore } from './content-store.js';
import { ContentStores } from './content-stores.js';
import { DocumentContents } from './document-contents.js';
import { StoredContent } from './stored-content.entity.js';

const BATCH = 100;

export interface Moved {
  moved: number;
  /** Documents whose content is missing from its store. */
  missing: number;
}

/**
 * Moves contents into the configured store, one by one, while services run. A moved content no longer
 * matches the queries, so an interrupted run can simply be repeated.
 */
@Injectable()
export class ContentMove {
  constructor(
    @InjectRepository(Document) private readonly documents: Repository<Document>,
    @InjectRepository(StoredContent) private readonly stored: Repository<StoredContent>,
    private readonly contents: DocumentContents,
    private readonly stores: ContentStores,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** @param onMoved called for each content */
  async run(onMoved: () => void = () => undefined): Promise<Moved> {
    const target = await this.stores.current();
    const result: Moved = { moved: 0, missing: 0 };
    const elsewhere = (last: string) => this.findStored(target, last);
    const inDatabase = (last: string) => this.findRows(target, last);
    for (const find of [elsewhere, inDatabase]) {
      for (let last = ''; ;) {
        const ids = await find(last);
        for (const id of ids) {
          const outcome = await this.move(id, target);
          if (outcome) result[outcome]++;
          if (outcome === 'moved') onMoved();
        }
        if (ids.length < BATCH) break;
        last = ids.at(-1) ?? '';
      }
    }
    return result;
  }

  /** Documents whose contents are in another store. */
  private async findStored(target: ContentStore | undefined, last: string): Promise<string[]> {
    const rows = await this.stored.find({
      where: { documentId: MoreThan(last), ...(target && { store: Not(target.location) }) },
      order: { documentId: 'ASC' },
      take: BATCH,
    });
    return rows.flatMap(({ documentId }) => documentId ?? []);
  }

  /** Documents whose contents are in the database and too large to stay there. */
  private async findRows(target: ContentStore | undefined, last: string): Promise<string[]> {
    if (!target) return [];
    const rows = await this.documents
      .createQueryBuilder('document')
      .select('document.id', 'id')
      .innerJoin(DocumentContent, 'content', 'content.documentId = document.id')
      .where({
        ...{ id: MoreThan(last), state: Not('deactivated') },
        sizeBytes: MoreThan(target.inlineBytes),
      })
      .orderBy('document.id')
      .limit(BATCH)
      .getRawMany<{ id: string }>();
    return rows.map(({ id }) => id);
  }

  private async move(
    id: string,
    target: ContentStore | undefined,
  ): Promise<keyof Moved | undefined> {
    const content = (await this.contents.read([id])).get(id);
    // Deleted since it was listed.
    if (!content) return undefined;
    if (content instanceof ContentMissingError) return 'missing';
    const source = toSource(content);
    const inline = !target || source.sizeBytes <= target.inlineBytes;
    const key = inline ? undefined : await this.contents.writeTo(target, source);
    const upload = { source, key, isAttached: false, hasReplaced: false };
    const transact = (manager: EntityManager) => this.attach(manager, id, upload);
    const isMoved = await this.unitOfWork.run(transact).catch(async (error: unknown) => {
      await this.contents.release(upload);
      throw error;
    });
    if (!isMoved) await this.contents.release(upload);
    return isMoved ? 'moved' : undefined;
  }

  /** @returns false when the document was replaced or deleted since its content was read */
  private async attach(
    manager: EntityManager,
    id: string,
    upload: Parameters<DocumentContents['attach']>[2],
  ): Promise<boolean> {
    const where = { id, sha256: upload.source.sha256, state: Not('deactivated' as const) };
    const document = await manager.findOne(Document, {
      select: { id: true },
      where,
      ...rowLock(manager.dataSource),
    });
    if (document) await this.contents.attach(manager, id, upload, false);
    return document !== null;
  }
}

function toSource(content: Buffer): ContentSource {
  const sha256 = createHash('sha256').update(content).digest('hex');
  return { sizeBytes: content.length, sha256, read: () => Promise.resolve(content) };
}

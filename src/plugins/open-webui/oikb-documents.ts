import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import { Document } from '../../documents/document.entity.js';
import { ACTIVE } from '../../documents/document-status.js';
import type { UploadedFile } from '../../documents/upload/uploaded-file.js';
import { linkTo } from '../sources/oikb-kind.js';
import { SourceDocuments, storedKey, type SyncTarget } from '../sources/source-documents.js';
import type { Source } from '../sources/source.entity.js';
import type { CleanedFile } from './file-ids.js';
import { isOutside } from './file-names.js';

/** Documents in one answer; a client that lists them asks for no other page. */
const MAX_LISTED = 1000;

interface ListedDocuments {
  readonly documents: readonly Document[];
  readonly total: number;
}

/** Changes the documents that oikb has brought to a source, and no others. */
@Injectable()
export class OikbDocuments {
  constructor(
    @InjectRepository(Document) private readonly documents: Repository<Document>,
    private readonly ofSource: SourceDocuments,
  ) {}

  async list(sourceId: string): Promise<ListedDocuments> {
    const [documents, total] = await this.documents.findAndCount({
      where: { sourceId, state: ACTIVE },
      order: { sourceKey: 'ASC' },
      take: MAX_LISTED,
    });
    return { documents, total };
  }

  /** @throws Problem */
  async put(
    target: SyncTarget,
    source: Source,
    { key, version }: { readonly key: string; readonly version: string },
    file: UploadedFile,
  ) {
    const entry = { key, version, url: linkTo(source.config, key) };
    const outcome = await this.ofSource.putFile(target, entry, file);
    const sourceKey = storedKey(key);
    const where = { sourceId: source.id, sourceKey, state: ACTIVE };
    const document = await this.documents.findOne({ select: { id: true }, where });
    return { outcome, id: document?.id ?? '' };
  }

  /** Deletes documents that are gone, and moves those that are elsewhere. @throws Problem `legal_hold` */
  async cleanUp(target: SyncTarget, source: Source, files: readonly CleanedFile[]) {
    const counts = { deleted: 0, changed: 0 };
    for (const file of files) {
      if (file.kind === 'moved' && (await this.move(target, source, file))) counts.changed++;
    }
    const gone = files.filter(({ kind }) => kind === 'gone').map(({ documentId }) => documentId);
    await this.ofSource.remove(target, gone, (deleted) => {
      counts.deleted += deleted;
    });
    return counts;
  }

  /** Deletes all documents of the source. @throws Problem `legal_hold` */
  async removeAll(target: SyncTarget): Promise<void> {
    const ids: string[] = [];
    for await (const { id } of this.ofSource.readAll(target.sourceId)) ids.push(id);
    await this.ofSource.remove(target, ids, () => undefined);
  }

  /** @returns false if the document is gone, or another one is at the place already */
  private async move(
    target: SyncTarget,
    { id: sourceId, config }: Source,
    { documentId, key }: CleanedFile & { kind: 'moved' },
  ): Promise<boolean> {
    const sourceKey = storedKey(key);
    const where = { sourceId, state: ACTIVE };
    const found = await this.documents.find({
      where: [
        { ...where, id: In([documentId]) },
        { ...where, sourceKey },
      ],
    });
    const [known, other] = found;
    if (known?.id !== documentId || other || isOutside(key)) return false;
    const entry = { key, version: known.sourceVersion ?? '', url: linkTo(config, key) };
    await this.ofSource.move(target, { entry, known });
    return true;
  }
}

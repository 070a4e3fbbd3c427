import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { storedKey, storedVersion } from '../sources/source-documents.js';
import { Source } from '../sources/source.entity.js';
import { RefusedFile } from './refused-file.entity.js';

/** Refusals because of the content: the same file would be refused again. */
const LASTING: ReadonlySet<string> = new Set(['unsupported_media_type', 'payload_too_large']);

interface ListedFile {
  readonly key: string;
  readonly version: string;
}

/** Remembers what is wrong with files, so that runs do not upload them again. */
@Injectable()
export class RefusedFiles {
  constructor(
    @InjectRepository(RefusedFile) private readonly files: Repository<RefusedFile>,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Returns a function that finds the refusal of a file. */
  async read(sourceId: string): Promise<(file: ListedFile) => RefusedFile | undefined> {
    const refused = await this.files.findBy({ sourceId });
    const byKey = new Map(refused.map((file) => [file.key, file]));
    return ({ key, version }) => {
      const file = byKey.get(storedKey(key));
      return file?.version === storedVersion({ version }) ? file : undefined;
    };
  }

  async add(
    sourceId: string,
    { key, version }: ListedFile,
    { code, message }: { readonly code: string; readonly message: string },
  ): Promise<void> {
    if (!LASTING.has(code)) return;
    await this.unitOfWork.run(async (manager) => {
      // The source may have been deleted meanwhile.
      if (!(await manager.existsBy(Source, { id: sourceId }))) return;
      await manager.upsert(
        RefusedFile,
        {
          ...{ sourceId, key: storedKey(key), version: storedVersion({ version }) },
          ...{ code, message, createdAt: new Date() },
        },
        ['sourceId', 'key'],
      );
    });
  }
}

import { Injectable } from '@nestjs/common';
import { UploadedFile } from '../../documents/upload/uploaded-file.js';
import type { DashboardUser } from '../../knowledge-bases/dashboard-auth/dashboard-user.js';
import { KnowledgeBaseAccess } from '../../knowledge-bases/knowledge-base-access.js';
import { KnowledgeBasesService } from '../../knowledge-bases/knowledge-bases.service.js';
import { isUnderLegalHold } from '../../knowledge-bases/settings/legal-hold.js';
import { Config } from '../../platform/config/config.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { invalidField, Problem } from '../../platform/problems/problem.js';
import { deletesTooMuch } from '../sources/run-plan.js';
import { type KnownDocument, SourceDocuments } from '../sources/source-documents.js';
import type { RunError } from '../sources/source-run.entity.js';
import { SourceRuns } from '../sources/source-runs.js';
import type { Source } from '../sources/source.entity.js';
import { compareManifest, type Comparison } from './compare-manifest.js';
import { type CleanedFile, fromFileId, toFileId } from './file-ids.js';
import { fromDirectoryId, fromKey, isOutside, toDirectoryId, toKey } from './file-names.js';
import { type ListedFile, readManifest, toVersion } from './manifest.js';
import { OikbDocuments } from './oikb-documents.js';
import { OikbRuns } from './oikb-runs.js';
import { type KnowledgeTarget, OikbTargets, requireNotPaused } from './oikb-targets.js';
import type {
  CleanupDto,
  CleanupResultDto,
  CreateDirectoryDto,
  DirectoryDto,
  DiffDto,
  KnowledgeDto,
  KnowledgeFilesDto,
  UploadedFileDto,
} from './open-webui.dto.js';
import { RefusedFiles } from './refused-files.js';

/** Statuses of refusals that are about the file, and not about who sends it or when. */
const OF_THE_FILE: ReadonlySet<number> = new Set([400, 409, 413, 415]);
const UNCONFIRMED = 'deletions_unconfirmed';

/** Answers oikb: what differs, and then each change. */
@Injectable()
export class OikbService {
  constructor(
    private readonly targets: OikbTargets,
    private readonly documents: OikbDocuments,
    private readonly ofSource: SourceDocuments,
    private readonly runs: OikbRuns,
    private readonly sourceRuns: SourceRuns,
    private readonly refused: RefusedFiles,
    private readonly knowledgeBases: KnowledgeBasesService,
    private readonly access: KnowledgeBaseAccess,
    private readonly unitOfWork: UnitOfWork,
    private readonly config: Config,
  ) {}

  /** Compares a manifest with what the caller has brought before. No document is changed. */
  async compare(user: DashboardUser, target: KnowledgeTarget, body: unknown): Promise<DiffDto> {
    const { files, errors } = readManifest(body, {
      maxFiles: this.config.MAX_DOCUMENTS_PER_SOURCE,
      maxBytes: this.config.MAX_UPLOAD_BYTES,
    });
    const source = await this.targets.findOrConnect(user, target);
    const documents: KnownDocument[] = [];
    for await (const document of this.ofSource.readAll(source.id)) documents.push(document);
    const comparison = compareManifest(files, documents);
    const findRefusal = await this.refused.read(source.id);
    const notes = [...errors];
    const isWanted = (file: ListedFile) => {
      const refusal = findRefusal(file);
      if (refusal) notes.push(toRunError(file.key, refusal));
      return !refusal;
    };
    const added = comparison.added.filter(isWanted);
    const changed = comparison.changed.filter(({ file }) => isWanted(file));
    const failed = notes.length;
    const gone = await this.findDeletions(source, comparison, notes);
    const asks = notes.some(({ code }) => code === UNCONFIRMED);
    const held = asks ? comparison.gone.length : 0;
    const { moved, unchanged } = comparison;
    const planned = {
      ...{ added: added.length, changed: changed.length + moved.length, deleted: gone.length },
    };
    const listed = files.length + errors.length;
    const runId = await this.unitOfWork.run(async (manager) => {
      await this.access.lock(manager, source.kbId);
      await this.targets.toSyncTarget(user, source).authorize(manager);
      const locked = await this.sourceRuns.lockSource(manager, source.id);
      if (!locked) throw new Problem('not_found');
      const plan = { planned, unchanged, listed, failed, held, errors: notes };
      return this.runs.begin(manager, locked, plan);
    });
    return {
      added: added.map(({ filename, path }) => ({ filename, path })),
      modified: changed.map(({ file: { filename, path }, known: { id } }) => ({
        ...{ filename, path },
        stale_file_id: toFileId({ kind: 'changed', documentId: id }),
      })),
      deleted: [
        ...gone.map((known) => toDeleted(known, { kind: 'gone', documentId: known.id, runId })),
        ...moved.map(({ entry: { key }, known }) =>
          toDeleted(known, { kind: 'moved', documentId: known.id, key }),
        ),
      ],
      unmodified_count: unchanged,
      // Directories are the paths of documents: there is nothing to make or to remove.
      ...{ mkdir: [], rmdir: [], directory_map: mapDirectories(files) },
    };
  }

  /**
   * Deletes what the newest comparison listed. What an earlier one listed may be back, and documents that did not
   * come from the caller's source are left.
   */
  async cleanUp(
    user: DashboardUser,
    target: KnowledgeTarget,
    { file_ids: ids }: CleanupDto,
  ): Promise<CleanupResultDto> {
    const source = await this.targets.find(user, target);
    if (!source) return { status: true, deleted: 0 };
    requireNotPaused(source);
    const newest = await this.runs.findNewest(source.id);
    const files = ids
      .flatMap((id) => fromFileId(id) ?? [])
      .filter((file) => file.kind !== 'gone' || file.runId === newest);
    const counts = await this.documents.cleanUp(
      this.targets.toSyncTarget(user, source),
      source,
      files,
    );
    if (counts.deleted + counts.changed > 0) await this.runs.count(source.id, counts);
    return { status: true, deleted: counts.deleted };
  }

  /** Stores an uploaded file as a document of the caller's source. */
  async upload(user: DashboardUser, body: Record<string, unknown>): Promise<UploadedFileDto> {
    const { file, metadata } = body;
    if (!(file instanceof UploadedFile))
      throw invalidField('file', 'file must be a file, sent once');
    const { knowledge_id, file_hash, directory_id } = (metadata ?? {}) as Record<string, unknown>;
    if (typeof knowledge_id !== 'string') {
      throw invalidField('metadata', 'metadata.knowledge_id must be the id of a knowledge base');
    }
    const target = await this.targets.resolve(user, knowledge_id);
    const key = toKey(readDirectory(directory_id), file.name);
    if (isOutside(key) || !key.isWellFormed()) {
      throw invalidField('file', 'file must have a name within its directory');
    }
    const version = toVersion(
      typeof file_hash === 'string' ? file_hash : file.hash,
      file.sizeBytes,
    );
    const source = await this.targets.findOrConnect(user, target);
    const syncTarget = this.targets.toSyncTarget(user, source);
    try {
      const { id, outcome } = await this.documents.put(syncTarget, source, { key, version }, file);
      await this.runs.count(source.id, { [outcome]: 1 });
      const meta = { name: file.name, size: file.sizeBytes, file_hash: version };
      return { id, filename: file.name, hash: file.hash, meta };
    } catch (error) {
      if (error instanceof Problem && OF_THE_FILE.has(error.getStatus())) {
        const failure = toFailure(error);
        await this.refused.add(source.id, { key, version }, failure);
        await this.runs.count(source.id, { failed: 1 }, { key, ...failure });
      }
      throw error;
    }
  }

  /** Directories are not stored: the id says what the path is. */
  createDirectory({ name, parent_id }: CreateDirectoryDto): DirectoryDto {
    const parent = readDirectory(parent_id);
    const path = parent === '' ? name : `${parent}/${name}`;
    if (isOutside(path)) throw invalidField('name', 'name must be the name of a directory');
    return { id: toDirectoryId(path), name, parent_id: parent_id ?? null };
  }

  /** Deletes every document that the caller has brought. */
  async reset(user: DashboardUser, target: KnowledgeTarget): Promise<KnowledgeDto> {
    const source = await this.targets.find(user, target);
    if (source) await this.documents.removeAll(this.targets.toSyncTarget(user, source));
    return this.describe(user, target);
  }

  async describe(user: DashboardUser, { kbId, sourceId }: KnowledgeTarget): Promise<KnowledgeDto> {
    const { name, description } = await this.knowledgeBases.get(user, kbId);
    return { id: sourceId ?? kbId, name, description: description ?? '', files: null };
  }

  /** Lists the documents that the caller has brought. */
  async listFiles(user: DashboardUser, target: KnowledgeTarget): Promise<KnowledgeFilesDto> {
    await this.access.require(user, target.kbId, 'member');
    const source = await this.targets.find(user, target);
    if (!source) return { items: [], total: 0 };
    const { documents, total } = await this.documents.list(source.id);
    const items = documents.map(
      ({ id, sha256, sourceKey, sourceVersion, sizeBytes, updatedAt }) => {
        const name = sourceKey ?? '';
        const { filename } = fromKey(name);
        const meta = { name, size: sizeBytes, file_hash: sourceVersion ?? '' };
        return {
          id,
          filename,
          hash: sha256,
          meta,
          updated_at: Math.floor(Number(updatedAt) / 1000),
        };
      },
    );
    return { items, total };
  }

  /** What may be deleted; else the reason is noted. */
  private async findDeletions(
    source: Source,
    { gone, total }: Comparison,
    notes: RunError[],
  ): Promise<readonly KnownDocument[]> {
    if (gone.length === 0 || source.onDelete === 'keep') return [];
    if (await this.unitOfWork.run((manager) => isUnderLegalHold(manager, source.kbId))) {
      notes.push({ key: null, ...toFailure(new Problem('legal_hold')) });
      return [];
    }
    if (!deletesTooMuch(gone.length, total) || (await this.runs.isConfirmed(source.id)))
      return gone;
    const message = `${gone.length} documents would be deleted. Confirm the run to delete them.`;
    notes.push({ key: null, code: UNCONFIRMED, message });
    return [];
  }
}

const toDeleted = ({ sourceKey }: KnownDocument, file: CleanedFile) => ({
  ...fromKey(sourceKey ?? ''),
  file_id: toFileId(file),
});

const mapDirectories = (files: readonly ListedFile[]): Record<string, string> =>
  Object.fromEntries(
    [...new Set(files.map(({ path }) => path))]
      .filter((path) => path !== '')
      .map((path) => [path, toDirectoryId(path)]),
  );

/** @throws Problem `validation_failed` */
function readDirectory(id: unknown): string {
  if (id === undefined || id === null || id === '') return '';
  const path = typeof id === 'string' ? fromDirectoryId(id) : undefined;
  if (path === undefined || isOutside(path)) {
    throw invalidField('directory_id', 'directory_id must be the id of a directory');
  }
  return path;
}

const toRunError = (
  key: string,
  { code, message }: { code: string; message: string },
): RunError => ({
  ...{ key, code, message },
});

function toFailure(problem: Problem): { code: string; message: string } {
  const { detail } = problem.toBody('') as { detail: string };
  return { code: problem.code, message: detail };
}

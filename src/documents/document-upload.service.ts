import { Injectable } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import type { DashboardUser } from '../knowledge-bases/dashboard-auth/dashboard-user.js';
import type { ApiKeyPrincipal } from '../api-keys/api-key-principal.js';
import { ApiKeyWriteAccess } from '../api-keys/api-key-write-access.js';
import {
  accessSetFor,
  noteRulesOfDocuments,
} from '../knowledge-bases/access-rules/access-rules.js';
import { newRuleColumns } from '../knowledge-bases/access-rules/new-rule.js';
import type { Actor } from '../knowledge-bases/events/event.js';
import { newId } from '../platform/http/type-id.js';
import { Idempotency, type IdempotentRequest } from '../platform/idempotency/idempotency.js';
import { KnowledgeBaseAccess } from '../knowledge-bases/knowledge-base-access.js';
import { isUnderLegalHold, requireNoLegalHold } from '../knowledge-bases/settings/legal-hold.js';
import type { Settings } from '../knowledge-bases/settings/settings.js';
import { SettingsService } from '../knowledge-bases/settings/settings.service.js';
import type { ContentSource } from './contents/content-store.js';
import { DocumentContents, type UploadedContent } from './contents/document-contents.js';
import { DocumentQuotas } from './document-quotas.js';
import {
  type DocumentDescription,
  type DocumentOrigin,
  DocumentTransitions,
} from './document-transitions.js';
import type { DocumentFieldsDto } from './document-requests.dto.js';
import type { DocumentDto } from './document.dto.js';
import { DocumentViews } from './document-views.js';
import { ACTIVE } from './document-status.js';
import { Document } from './document.entity.js';
import { findWithRule, foundColumns } from './document-rules.js';
import { duplicateDocument, findDuplicate } from './find-duplicate.js';
import { Problem } from '../platform/problems/problem.js';
import { Jobs } from '../platform/jobs/jobs.js';
import { overwrites } from './overwrites.js';
import { DocumentIndexer } from './document-indexer.js';
import { findRuleOfSource, forgetKeptRule, takeKeptRule } from './kept-rules.js';
import { GroupCommit } from './group-commit.js';
import { toDateColumns, toSourceDate } from './document-date.js';
import { toValidityColumns } from './document-validity.js';
import { canonicalLanguageTag } from './language-tag.js';
import { KeptVersions } from './version-keeper.js';
import { requireValidity } from './supersession.js';
import { findEncodingName } from '@latchkey/extraction/encodings';

const MEMBER_ACCESS = { role: 'member', lock: 'knowledge base' } as const;
/** Changes to these columns require indexing; changes to others do not affect search. */
const INDEXED_COLUMNS: ReadonlySet<string> = new Set([
  'sha256',
  'mimeType',
  'declaredLanguage',
  'languages',
  'charset',
]);

/** API field names of columns, where they differ. */
const FIELDS = new Map([
  ['sourceUrl', 'source_url'],
  ['accessSetId', 'access'],
  ['validFrom', 'valid_from'],
  ['validUntil', 'valid_until'],
  ['dateFrom', 'date'],
]);

/** A document as a client sent it, as text or as a file. */
export interface DocumentUpload extends Omit<DocumentFieldsDto, 'mime_type'>, ContentSource {
  readonly title: string;
  readonly mimeType: string;
  /** The encoding of its text, if the client named it. */
  readonly charset?: string;
}

/** The target of a source's change, and the permission for it. */
export interface SyncedDocument {
  readonly kbId: string;
  readonly actor: Actor;
  readonly origin: DocumentOrigin;
  /** Called in the transaction. @throws Problem */
  readonly authorize: (manager: EntityManager) => Promise<void>;
}

export interface UploadResult<Dto = DocumentDto> {
  /** False when nothing was changed. */
  readonly accepted: boolean;
  readonly document: Dto;
}

@Injectable()
export class DocumentUploadService {
  constructor(
    @InjectRepository(Document) private readonly documents: Repository<Document>,
    private readonly contents: DocumentContents,
    private readonly knowledgeBases: KnowledgeBaseAccess,
    private readonly settings: SettingsService,
    private readonly jobs: Jobs,
    private readonly groupCommit: GroupCommit,
    private readonly idempotency: Idempotency,
    private readonly quotas: DocumentQuotas,
    private readonly transitions: DocumentTransitions,
    private readonly writeAccess: ApiKeyWriteAccess,
    private readonly views: DocumentViews,
    private readonly versions: KeptVersions,
  ) {}

  /** Stores the document; it is indexed in the background. */
  async create(
    user: DashboardUser,
    kbId: string,
    upload: DocumentUpload,
    request?: IdempotentRequest,
  ): Promise<UploadResult> {
    await this.knowledgeBases.require(user, kbId, 'member');
    // Read before the transaction, which would need a second connection for it.
    const settings = await this.settings.load(kbId);
    const isNeeded = async () =>
      upload.on_duplicate === 'replace' ||
      !(await findDuplicate(this.documents.manager, kbId, upload));
    const { answer } = await this.contents.upload(upload, isNeeded, (content) =>
      this.groupCommit.run(kbId, upload.sizeBytes, async (manager) => {
        await this.knowledgeBases.authorize(manager, user, kbId, MEMBER_ACCESS);
        return this.idempotency.once(manager, user.id, request, () =>
          this.add(manager, user, kbId, upload, content, settings),
        );
      }),
    );
    if (answer.accepted) this.jobs.start(DocumentIndexer);
    return answer;
  }

  /** Creates or updates the document with the upload's external id on behalf of an API key. */
  async put(apiKey: ApiKeyPrincipal, upload: DocumentUpload): Promise<UploadResult> {
    const { kbId } = apiKey;
    const settings = await this.settings.load(kbId);
    const { outcome, document } = await this.upsert(upload, {
      kbId,
      actor: apiKey,
      authorize: (manager) => this.writeAccess.authorize(manager, apiKey, 'documents:write'),
      find: (manager) => findByExternalId(manager, kbId, upload.external_id),
      columnsFor: () => toColumns(upload),
    });
    const dto = await this.views.toDto(this.documents.manager, document, settings);
    return { accepted: outcome !== 'unchanged', document: dto };
  }

  /** Creates or updates a document of a source. Fields set by users are kept. */
  async sync(
    { origin, ...target }: SyncedDocument,
    upload: DocumentUpload,
  ): Promise<UpsertOutcome> {
    const { sourceId, sourceKey } = origin;
    const { outcome } = await this.upsert(upload, {
      ...target,
      find: (manager) => manager.findOneBy(Document, { sourceId, sourceKey, state: ACTIVE }),
      columnsFor: (existing) => ({
        ...toColumns(upload),
        ...(existing && keptColumns(existing)),
      }),
      origin: { ...origin, syncedAt: new Date() },
    });
    return outcome;
  }

  /**
   * Takes over the location and the access rule of a document from its source. The content stays. Under
   * legal hold the location stays too; only the access rule is taken over.
   *
   * @param known the document as compared with the source
   * @param placeFor returns what else the location determines
   * @throws Problem `legal_hold`, after taking over the access rule
   */
  async syncPlace(
    { kbId, actor, authorize, origin }: SyncedDocument,
    known: Pick<Document, 'id' | 'sourceVersion'>,
    placeFor: (existing: Document) => Partial<Pick<Document, 'title' | 'sourceUrl'>>,
  ): Promise<void> {
    const { id, sourceVersion } = known;
    const { isRenamed, isHeld } = await this.groupCommit.run(kbId, 0, async (manager) => {
      await authorize(manager);
      const existing = await manager.findOneBy(Document, {
        ...{ id, sourceId: origin.sourceId, state: ACTIVE },
      });
      if (!existing) return { isRenamed: false, isHeld: false };
      const place = placeFor(existing);
      const isHeld = overwrites(existing, place) && (await isUnderLegalHold(manager, kbId));
      const columns = {
        ...(!isHeld && place),
        ...(await accessColumn(
          manager,
          existing,
          await findRuleOfSource(manager, existing, { ...existing, ...origin }),
        )),
        updatedAt: new Date(),
      };
      // If a user replaced it in the meantime, the next run loads it again.
      const isSame = existing.sourceVersion === sourceVersion;
      // Stored together with the rule, which would otherwise look like one set by a user.
      const { sourceAccess, sourceVersion: version } = origin;
      const changed = {
        ...{ ...columns, ...(isHeld ? { sourceAccess, sourceVersion: version } : origin) },
        ...(!isHeld && toSourceDate(origin, existing)),
        ...(!isSame && { sourceVersion: null }),
      };
      const changes = changedColumns(existing, columns);
      await this.transitions.edit(manager, actor, existing, changed, toFields(changes));
      return { isRenamed: changes.includes('title'), isHeld };
    });
    if (isRenamed) this.jobs.start(DocumentIndexer);
    if (isHeld) throw new Problem('legal_hold');
  }

  /** Replaces the content of a document. What describes it stays, but for what the content says itself. */
  async replaceContent(
    user: DashboardUser,
    documentId: string,
    upload: DocumentUpload,
  ): Promise<DocumentDto> {
    const document = await this.documents.findOneBy({ id: documentId, state: ACTIVE });
    if (!document) throw new Problem('not_found');
    const { mimeType, sizeBytes, sha256, charset } = toColumns(upload);
    return this.replace(user, document, upload, (_, existing) => {
      const content = { mimeType, sizeBytes, sha256, charset, updatedAt: new Date() };
      const { title, sourceUrl, metadata, dateFrom } = existing;
      // Any other date is found again in the new content.
      const isKept = dateFrom === 'given' || dateFrom === 'source';
      const found = !isKept && { date: null, dateFrom: null };
      return Promise.resolve({
        ...{ title, sourceUrl, metadata },
        ...keptColumns(existing),
        ...content,
        ...found,
      });
    });
  }

  /** Replaces the content of a document by that of a former version; see `replace`. */
  restore(
    user: DashboardUser,
    document: Pick<Document, 'kbId' | 'id'>,
    version: number,
    source: ContentSource,
    describe: (manager: EntityManager, existing: Document) => Promise<DocumentDescription>,
  ): Promise<DocumentDto> {
    return this.replace(user, document, source, describe, { version });
  }

  /** @param describe returns what the document becomes, in the transaction */
  private async replace(
    user: DashboardUser,
    { kbId, id }: Pick<Document, 'kbId' | 'id'>,
    source: ContentSource,
    describe: (manager: EntityManager, existing: Document) => Promise<DocumentDescription>,
    restored?: { readonly version: number },
  ): Promise<DocumentDto> {
    const settings = await this.settings.load(kbId);
    const isNeeded = () => Promise.resolve(true);
    const replaced = await this.contents.upload(source, isNeeded, (content) =>
      this.groupCommit.run(kbId, source.sizeBytes, async (manager) => {
        await this.knowledgeBases.authorize(manager, user, kbId, MEMBER_ACCESS);
        const existing = await manager.findOneBy(Document, { id, kbId, state: ACTIVE });
        if (!existing) throw new Problem('not_found');
        const described = await describe(manager, existing);
        const ruled = await accessColumn(manager, existing, described.accessSetId);
        const columns = { ...described, ...ruled };
        await requireValidity(manager, kbId, columns, existing);
        await this.store(manager, user, kbId, columns, content, existing, restored);
        return findWithRule(manager, id);
      }),
    );
    this.jobs.start(DocumentIndexer);
    return this.views.toDto(this.documents.manager, replaced, settings);
  }

  private async upsert(
    upload: DocumentUpload,
    { kbId, actor, authorize, find, columnsFor, origin }: UpsertTarget,
  ): Promise<{ outcome: UpsertOutcome; document: Document }> {
    const isNeeded = async () => (await find(this.documents.manager))?.sha256 !== upload.sha256;
    const result = await this.contents.upload(upload, isNeeded, (content) =>
      this.groupCommit.run(kbId, upload.sizeBytes, async (manager) => {
        await authorize(manager);
        const existing = await find(manager);
        const { external_id: externalId = null, sha256 } = upload;
        const accessSetId = origin
          ? await findRuleOfSource(manager, existing, { kbId, externalId, sha256, ...origin })
          : await findRuleOfUpload(manager, kbId, existing, upload);
        const columns = {
          ...columnsFor(existing),
          ...(await accessColumn(manager, existing, accessSetId)),
        };
        await requireValidity(manager, kbId, columns, existing);
        const changes = existing ? changedColumns(existing, columns) : [];
        const isStored = !existing || changes.some((name) => INDEXED_COLUMNS.has(name));
        const changed = { ...columns, ...origin, ...toSourceDate(origin, existing) };
        let id = existing?.id ?? '';
        if (isStored) {
          id = await this.store(manager, actor, kbId, changed, content, existing);
        } else if (changes.length > 0) {
          await this.transitions.edit(manager, actor, existing, changed, toFields(changes));
        } else if (origin) {
          await manager.update(Document, { id }, { ...origin, ...toSourceDate(origin, existing) });
        }
        const outcome: UpsertOutcome = !existing
          ? 'added'
          : changes.length > 0
            ? 'changed'
            : 'unchanged';
        return { outcome, document: await findWithRule(manager, id) };
      }),
    );
    if (result.outcome !== 'unchanged') this.jobs.start(DocumentIndexer);
    return result;
  }

  private async add(
    manager: EntityManager,
    user: DashboardUser,
    kbId: string,
    upload: DocumentUpload,
    content: UploadedContent,
    settings: Settings,
  ): Promise<UploadResult> {
    const existing = await findDuplicate(manager, kbId, upload);
    if (existing && upload.on_duplicate === 'skip') {
      const document = await findWithRule(manager, existing.id);
      return { accepted: false, document: await this.views.toDto(manager, document, settings) };
    }
    if (existing && upload.on_duplicate !== 'replace') throw duplicateDocument(existing);
    const columns = {
      ...toColumns(upload),
      ...(await accessColumn(
        manager,
        existing,
        await findRuleOfUpload(manager, kbId, existing, upload),
      )),
    };
    await requireValidity(manager, kbId, columns, existing);
    const id = await this.store(manager, user, kbId, columns, content, existing);
    const document = await findWithRule(manager, id);
    return { accepted: true, document: await this.views.toDto(manager, document, settings) };
  }

  /**
   * @param existing the document to replace, if any
   * @returns the document's id
   */
  private async store(
    manager: EntityManager,
    actor: Actor,
    kbId: string,
    columns: DocumentDescription,
    content: UploadedContent,
    existing: Document | null,
    restored?: { readonly version: number },
  ): Promise<string> {
    const { sizeBytes, sha256, title } = columns;
    const isSame = existing?.sha256 === sha256;
    if (existing && (existing.sha256 !== sha256 || overwrites(existing, columns))) {
      await requireNoLegalHold(manager, kbId);
    }
    const isKept = existing && !isSame && (await this.versions.keep(manager, actor, existing));
    const noted = existing && (await foundColumns(manager, existing, columns));
    await this.quotas.count(manager, kbId, {
      documents: existing ? 0 : 1,
      bytes: sizeBytes - (isKept ? 0 : (existing?.sizeBytes ?? 0)),
    });
    const id = existing?.id ?? newId('doc');
    if (existing) {
      // The current passages stay searchable until the new ones are ready. If the source has different
      // content, its next run loads the document again.
      const { accessSetId = existing.accessSetId } = columns;
      // The old passages must not become readable under the access rule of the new content.
      const replacedAt = isSame ? existing.replacedAt : columns.updatedAt;
      const closed = isSame ? {} : { version: null, closedVersion: () => 'last_version' };
      const ruled = accessSetId !== existing.accessSetId && { ...newRuleColumns, ...closed };
      const contentNumber = existing.contentNumber + (isSame ? 0 : 1);
      const described = { sourceVersion: null, ...columns, contentNumber, replacedAt };
      await this.transitions.apply(manager, actor, restored ? 'restore' : 'replace', existing, {
        columns: { ...described, ...noted, ...ruled },
        details: { title, ...restored },
      });
    } else {
      const createdAt = columns.updatedAt;
      await this.transitions.add(manager, actor, { ...columns, id, kbId, createdAt });
    }
    // If the hashes match, the document already has this content.
    if (!isSame) {
      await this.contents.attach(manager, id, content, !existing);
    }
    return id;
  }
}

/** The knowledge base, the document and the columns of an upsert. */
interface UpsertTarget extends Omit<SyncedDocument, 'origin'> {
  readonly find: (manager: EntityManager) => Promise<Document | null>;
  readonly columnsFor: (existing: Document | null) => DocumentDescription;
  /** Updated even if the content is unchanged. */
  readonly origin?: DocumentOrigin & Pick<Document, 'syncedAt'>;
}

type UpsertOutcome = 'added' | 'changed' | 'unchanged';

/** Columns that a source does not provide. */
const keptColumns = ({ externalId, metadata, declaredLanguage, languages, charset }: Document) => ({
  externalId,
  metadata,
  declaredLanguage,
  languages,
  charset,
});

const toColumns = ({ language, languages, ...upload }: DocumentUpload): DocumentDescription => ({
  title: upload.title,
  sourceUrl: upload.source_url ?? null,
  externalId: upload.external_id ?? null,
  mimeType: upload.mimeType,
  sizeBytes: upload.sizeBytes,
  sha256: upload.sha256,
  metadata: upload.metadata ?? {},
  ...declaredLanguage(language),
  languages: languages?.map((tag) => canonicalLanguageTag(tag) ?? tag) ?? null,
  charset: upload.charset === undefined ? null : (findEncodingName(upload.charset) ?? null),
  ...toValidityColumns(upload),
  ...toDateColumns(upload),
  updatedAt: new Date(),
});

/**
 * A document that is replaced, or that returns after deletion, keeps its rule unless a new one is
 * given. Otherwise it could become readable by everyone.
 */
async function findRuleOfUpload(
  manager: EntityManager,
  kbId: string,
  existing: Document | null,
  upload: DocumentUpload,
): Promise<string | null | undefined> {
  const given = await accessSetFor(manager, kbId, upload);
  const { external_id: externalId = null, sha256 } = upload;
  const document = existing ?? { kbId, externalId, sourceId: null, sourceKey: null };
  if (given !== undefined) await forgetKeptRule(manager, document);
  if (given !== undefined || existing) return given;
  return takeKeptRule(manager, { ...document, sha256, sourceAccess: null });
}

async function accessColumn(
  manager: EntityManager,
  existing: Document | null,
  accessSetId: string | null | undefined,
) {
  if (existing && accessSetId !== undefined && accessSetId !== existing.accessSetId) {
    await noteRulesOfDocuments(manager, existing.kbId);
  }
  return accessSetId === undefined ? {} : { accessSetId };
}

/**
 * Without a declared language, the language of the searchable passages stays until indexing detects the
 * new one.
 */
function declaredLanguage(tag: string | null | undefined) {
  const language = canonicalLanguageTag(tag ?? '') ?? null;
  return { declaredLanguage: language, ...(language !== null && { language }) };
}

const findByExternalId = (
  manager: EntityManager,
  kbId: string,
  externalId: string | null | undefined,
): Promise<Document | null> =>
  externalId
    ? manager.findOneBy(Document, { kbId, state: 'active', externalId })
    : Promise.resolve(null);

/** Lists the columns whose values an upload would change. */
const changedColumns = (
  existing: Document,
  { updatedAt, ...columns }: Partial<DocumentDescription>,
) =>
  (Object.keys(columns) as (keyof typeof columns)[]).filter(
    (name) => !isDeepStrictEqual(existing[name], columns[name]),
  );

const toFields = (columns: readonly string[]): string[] => [
  ...new Set(columns.map((name) => FIELDS.get(name) ?? name)),
];

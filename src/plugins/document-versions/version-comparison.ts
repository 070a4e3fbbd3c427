import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { In, type SelectQueryBuilder } from 'typeorm';
import { Passage } from '../../documents/passage.entity.js';
import type { DashboardUser } from '../../knowledge-bases/dashboard-auth/dashboard-user.js';
import { Reads } from '../../platform/database/reads.js';
import { alignPassages, type ComparedPassage } from './align-passages.js';
import { toPassageDto, type VersionDiffDto } from './version.dto.js';
import { VersionsService } from './versions.service.js';

/** The maximum number of passages of a version that are compared, and of differences that are listed. */
const MAX_COMPARED = 5000;
const MAX_CHANGES = 200;
/** The number of passages that are read at a time; others are served between. */
const BATCH = 250;
/** The number of a passage's words by which it is compared, those with the least hashes. */
const COMPARED_WORDS = 64;

interface ReadPassage extends ComparedPassage {
  readonly id: string;
}

/** Finds what distinguishes two versions of a document. */
@Injectable()
export class VersionComparison {
  constructor(
    private readonly versions: VersionsService,
    private readonly reads: Reads,
  ) {}

  /**
   * @param to the current version unless given
   * @throws Problem `not_found`
   */
  async compare(
    user: DashboardUser,
    documentId: string,
    from: number,
    to?: number,
  ): Promise<VersionDiffDto> {
    const one = await this.versions.findReadable(user, documentId, from);
    const number = to ?? (await this.versions.findCurrentNumber(user, documentId));
    const other = await this.versions.findReadable(user, documentId, number);
    return this.reads.latest(async (manager) => {
      const select = (version: typeof one) =>
        this.versions.selectPassages(manager, user, documentId, version);
      const [before, after] = [await readAll(select(one)), await readAll(select(other))];
      const pairs = alignPassages(before.passages, after.passages).map(([left, right]) => ({
        before: left === undefined ? undefined : before.passages[left],
        after: right === undefined ? undefined : after.passages[right],
      }));
      const changes = pairs.filter((pair) => pair.before?.key !== pair.after?.key);
      const listed = changes.slice(0, MAX_CHANGES);
      const olds = await loadTexts(
        select(one),
        documentId,
        listed.map((pair) => pair.before?.id),
      );
      const news = await loadTexts(
        select(other),
        documentId,
        listed.map((pair) => pair.after?.id),
      );
      const added = changes.filter((pair) => !pair.before).length;
      const removed = changes.filter((pair) => !pair.after).length;
      return {
        document_id: documentId,
        from,
        to: number,
        added,
        removed,
        changed: changes.length - added - removed,
        unchanged: pairs.length - changes.length,
        changes: listed.map((pair) => ({
          kind: !pair.before ? 'added' : !pair.after ? 'removed' : 'changed',
          before: olds.get(pair.before?.id ?? '') ?? null,
          after: news.get(pair.after?.id ?? '') ?? null,
        })),
        truncated: changes.length > MAX_CHANGES || before.hasMore || after.hasMore,
      };
    });
  }
}

async function readAll(
  passages: SelectQueryBuilder<Passage>,
): Promise<{ passages: ReadPassage[]; hasMore: boolean }> {
  const read: ReadPassage[] = [];
  for (let last = -1; read.length < MAX_COMPARED;) {
    const batch = await passages
      .clone()
      .andWhere('passage.position > :last', { last })
      .orderBy('passage.position', 'ASC')
      .limit(BATCH)
      .getMany();
    for (const { id, position, heading, text } of batch) {
      last = position;
      const key = hash('sha256', `${heading ?? ''}\n${text}`, 'base64url');
      read.push({ id, key, words: pickWords(text) });
    }
    if (batch.length < BATCH) return { passages: read, hasMore: false };
    await setImmediate();
  }
  return { passages: read, hasMore: true };
}

/** The hashes of some words of a text: of a text with some other words, mostly the same. */
function pickWords(text: string): ReadonlySet<number> {
  const hashes = new Set((text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map(hashWord));
  return new Set([...hashes].sort((one, other) => one - other).slice(0, COMPARED_WORDS));
}

/** FNV-1a, of 32 bits. */
function hashWord(word: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < word.length; index++) {
    value = Math.imul(value ^ word.charCodeAt(index), 0x01000193);
  }
  return value >>> 0;
}

async function loadTexts(
  passages: SelectQueryBuilder<Passage>,
  documentId: string,
  ids: readonly (string | undefined)[],
) {
  const id = In(ids.filter((one) => one !== undefined));
  const found = await passages.andWhere({ id }).getMany();
  return new Map(found.map((passage) => [passage.id, toPassageDto(documentId, passage)]));
}

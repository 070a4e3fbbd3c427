import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { toComparableName } from '@latchkey/text/person-name';
import { DataSource, type EntityManager, type EntityTarget, In } from 'typeorm';
import { lockRows } from '../platform/database/dialect.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { Job, type JobRound } from '../platform/jobs/job.js';
import type { MayContinue } from '../platform/jobs/job-lock.js';
import { AccessEntry } from './access-rules/access-entry.entity.js';
import { addMissingEntries, toEntries } from './access-rules/access-rules.js';
import { AccessSet } from './access-rules/access-set.entity.js';
import { isUserId } from './dashboard-auth/user-id.js';
import { DirectoryUser } from './directory/directory-user.entity.js';
import { KnowledgeBaseMember, MEMBER_ROLES } from './knowledge-base-member.entity.js';
import { KnowledgeBase } from './knowledge-base.entity.js';

const INTERVAL_MS = 60_000;
/** The clocks of hosts differ, and a row becomes visible only when its transaction has ended. */
const OVERLAP_MS = 60 * 60 * 1000;
const BATCH = 500;

/**
 * Repairs names that the previous version of the service stores as they are written, while its processes
 * are replaced one by one. Deprovisioned users could otherwise continue under another spelling, and rules
 * would not match them. This converts names to the form in which they are compared, as the migration did:
 * all rows once after a start, and each minute the rows changed since.
 */
@Injectable()
export class NameRepair {
  private checkedUntil = new Date(0);

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  @Job({ every: INTERVAL_MS, singleton: 'name-repair' })
  async repair({ now, mayContinue }: JobRound): Promise<void> {
    if (!(await mayContinue())) return;
    const startedAt = await now();
    const since = this.checkedUntil;
    if (since.getTime() === 0) await this.unitOfWork.run(compareOwners);
    const isComplete =
      (await this.repairRows(DirectoryUser, 'updatedAt', since, mayContinue, (users) =>
        repairDirectory(this.unitOfWork, users),
      )) &&
      (await this.repairRows(KnowledgeBaseMember, 'createdAt', since, mayContinue, (members) =>
        repairMembers(this.unitOfWork, members),
      )) &&
      (await this.repairRows(AccessSet, 'updatedAt', since, mayContinue, (sets) =>
        repairEntries(this.unitOfWork, this.dataSource.manager, sets),
      ));
    if (isComplete) this.checkedUntil = new Date(startedAt.getTime() - OVERLAP_MS);
  }

  /**
   * Repairs the rows that were changed since a time, batch by batch.
   *
   * @param column when a row was changed
   * @returns whether all of them were seen
   */
  private async repairRows<T extends { id: string }>(
    entity: EntityTarget<T>,
    column: string & keyof T,
    since: Date,
    mayContinue: MayContinue,
    repair: (rows: T[]) => Promise<void>,
  ): Promise<boolean> {
    const { manager } = this.dataSource;
    let after: { time: unknown; id: string } = { time: since, id: '' };
    while (await mayContinue()) {
      const rows = await manager
        .createQueryBuilder(entity, 'named')
        .where(`(named.${column}, named.id) > (:time, :id)`, after)
        .orderBy(`named.${column}`)
        .addOrderBy('named.id')
        .limit(BATCH)
        .getMany();
      const last = rows.at(-1);
      if (!last) return true;
      await repair(rows);
      after = { time: last[column], id: last.id };
      await setImmediate();
    }
    return false;
  }
}

async function repairDirectory(unitOfWork: UnitOfWork, users: DirectoryUser[]): Promise<void> {
  const wrong = users.filter(
    ({ userName, comparedName: name, userId }) =>
      toComparableName(userName) !== name || toComparableName(userId) !== userId,
  );
  if (wrong.length === 0) return;
  await unitOfWork.run(async (manager) => {
    for (const { id, serviceAccountId, userName, userId } of wrong) {
      const person = { comparedName: toComparableName(userName), userId: toComparableName(userId) };
      // A concurrent change writes the name again, which the next round sees.
      const { affected } = await manager.update(DirectoryUser, { id, userName, userId }, person);
      if (affected === 1) await forgetDeleted(manager, { serviceAccountId, ...person });
    }
  });
}

/** Removes a deleted person who exists in another spelling. */
async function forgetDeleted(
  manager: EntityManager,
  person: Pick<DirectoryUser, 'serviceAccountId' | 'comparedName' | 'userId'>,
): Promise<void> {
  const same = await manager.find(DirectoryUser, {
    select: { id: true, removedAt: true },
    where: { ...person, comparedName: person.comparedName ?? '' },
    order: { id: 'ASC' },
  });
  const kept = same.find(({ removedAt }) => removedAt === null) ?? same.at(-1);
  const gone = same.filter((user) => user.removedAt !== null && user !== kept);
  if (gone.length === 0) return;
  await manager.delete(DirectoryUser, { id: In(gone.map(({ id }) => id)) });
}

async function repairMembers(
  unitOfWork: UnitOfWork,
  members: KnowledgeBaseMember[],
): Promise<void> {
  for (const { id, kbId, userId: writtenId } of members) {
    const userId = toComparableName(writtenId);
    if (userId === writtenId || !isUserId(writtenId)) continue;
    await unitOfWork.run(async (manager) => {
      await lockKnowledgeBase(manager, kbId);
      const member = await manager.findOneBy(KnowledgeBaseMember, { id, userId: writtenId });
      if (!member) return;
      const other = await manager.findOneBy(KnowledgeBaseMember, { kbId, userId });
      if (!other) {
        await manager.update(KnowledgeBaseMember, { id }, { userId, writtenId });
        return;
      }
      await manager.delete(KnowledgeBaseMember, { id });
      const { role } = member;
      if (MEMBER_ROLES.indexOf(role) <= MEMBER_ROLES.indexOf(other.role)) return;
      await manager.update(KnowledgeBaseMember, { id: other.id }, { role });
    });
  }
}

async function repairEntries(
  unitOfWork: UnitOfWork,
  reads: EntityManager,
  sets: AccessSet[],
): Promise<void> {
  const named = sets.filter(({ rule }) =>
    [...rule.allow, ...rule.deny].some((name) => toComparableName(name) !== name),
  );
  for (const set of named) {
    const stored = await reads.findBy(AccessEntry, { setId: set.id });
    const has = new Set(stored.map(({ effect, principal }) => `${effect} ${principal}`));
    const isStored = ({ effect, principal }: { effect: string; principal: string }) =>
      has.has(`${effect} ${principal}`);
    if (toEntries(set).every(isStored)) continue;
    await unitOfWork.run(async (manager) => {
      // Changes of rules take this lock too.
      await lockKnowledgeBase(manager, set.kbId);
      const current = await manager.findOneBy(AccessSet, { id: set.id });
      if (current) await addMissingEntries(manager, current);
    });
  }
}

const lockKnowledgeBase = (manager: EntityManager, id: string) =>
  lockRows(manager.createQueryBuilder(KnowledgeBase, 'kb').where({ id })).getOne();

/** Converts the ids of owners. They are ASCII, which SQL lowercases the same way everywhere. */
async function compareOwners(manager: EntityManager): Promise<void> {
  await manager.query(
    `INSERT INTO former_owners (user_id, kb_id, deleted_at)
     SELECT LOWER(user_id), kb_id, MAX(deleted_at) FROM former_owners
     WHERE user_id <> LOWER(user_id) AND LOWER(user_id) NOT LIKE 'group:%'
     GROUP BY LOWER(user_id), kb_id
     ON CONFLICT (user_id, kb_id) DO NOTHING`,
  );
  await manager.query(
    `UPDATE knowledge_bases SET created_by = LOWER(created_by)
     WHERE created_by <> LOWER(created_by)`,
  );
}

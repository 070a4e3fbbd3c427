import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { DashboardUser } from '../../knowledge-bases/dashboard-auth/dashboard-user.js';
import { DirectoryGroup } from './directory-group.entity.js';
import { DirectoryMembership } from './directory-membership.entity.js';
import { DirectoryUser } from './directory-user.entity.js';
import { Config } from '../../platform/config/config.js';
import { Problem } from '../../platform/problems/problem.js';

type PushLimit = 'MAX_DIRECTORY_USERS' | 'MAX_DIRECTORY_GROUPS' | 'MAX_DIRECTORY_MEMBERSHIPS';

/** Limits how many users, groups and members the identity provider of one service account may push. */
@Injectable()
export class DirectoryQuota {
  constructor(private readonly config: Config) {}

  /**
   * Called after rows were added, in a unit of work that has locked the directory.
   *
   * @throws Problem `quota_reached`, which rolls the unit of work back
   */
  async require(
    manager: EntityManager,
    { id: serviceAccountId }: DashboardUser,
    quota: PushLimit,
  ): Promise<void> {
    const limit = this.config[quota];
    if ((await countPushed(manager, serviceAccountId, quota)) <= limit) return;
    // Identity providers would read 409 as “the resource already exists”.
    throw new Problem('quota_reached', {
      status: 403,
      detail: `The quota has been reached: ${quota} is ${limit}.`,
    });
  }
}

function countPushed(
  manager: EntityManager,
  serviceAccountId: string,
  quota: PushLimit,
): Promise<number> {
  if (quota === 'MAX_DIRECTORY_USERS') return manager.countBy(DirectoryUser, { serviceAccountId });
  if (quota === 'MAX_DIRECTORY_GROUPS')
    return manager.countBy(DirectoryGroup, { serviceAccountId });
  return manager
    .createQueryBuilder(DirectoryMembership, 'membership')
    .where(
      'membership.groupId IN (SELECT id FROM directory_groups WHERE service_account_id = :id)',
      { id: serviceAccountId },
    )
    .getCount();
}

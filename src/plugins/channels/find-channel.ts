import type { EntityManager } from 'typeorm';
import { Channel } from './channel.entity.js';

/** Finds a channel that is not deleted, with its key. */
export const findChannel = (manager: EntityManager, id: string): Promise<Channel | null> =>
  manager
    .createQueryBuilder(Channel, 'channel')
    .innerJoinAndSelect('channel.apiKey', 'key')
    .where({ id })
    .getOne();

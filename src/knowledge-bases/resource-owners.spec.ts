import { expect, it } from '@jest/globals';
import { Injectable, type Type } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { type AccessOwner, OwnsResource } from './access.js';
import { ResourceOwners } from './resource-owners.js';

class Owner implements AccessOwner {
  findKbId(id: string): Promise<string> {
    return Promise.resolve(id);
  }
}

@Injectable()
@OwnsResource({ resource: 'source', prefix: 'src' })
class Sources extends Owner {}

@Injectable()
@OwnsResource({ resource: 'source', prefix: 'doc' })
class OtherSources extends Owner {}

@Injectable()
@OwnsResource({ resource: 'feed', prefix: 'src' })
class Feeds extends Owner {}

@Injectable()
@OwnsResource({ resource: 'webhook', prefix: 'wh' })
class Webhooks extends Owner {}

const start = async (...providers: Type[]) => {
  const module = await Test.createTestingModule({
    imports: [DiscoveryModule],
    providers: [ResourceOwners, ...providers],
  }).compile();
  return (await module.init()).close();
};

it('lets each kind of resources have one owner', async () => {
  await start(Sources, Webhooks);
});

it.each([
  [OtherSources, 'Sources and OtherSources both own the resource source'],
  [Feeds, 'Sources and Feeds both own the prefix src'],
])('refuses to start with two owners: %p', async (other, message) => {
  await expect(start(Sources, Webhooks, other)).rejects.toThrow(message);
});

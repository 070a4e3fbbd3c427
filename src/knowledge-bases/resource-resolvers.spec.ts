import { expect, it } from '@jest/globals';
import { Injectable, type Type } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { type ResourceResolver, ResolvesResource } from './access.js';
import { ResourceResolvers } from './resource-resolvers.js';

class Resolver implements ResourceResolver {
  findKbId(id: string): Promise<string> {
    return Promise.resolve(id);
  }
}

@Injectable()
@ResolvesResource({ resource: 'source', prefix: 'src' })
class Sources extends Resolver {}

@Injectable()
@ResolvesResource({ resource: 'source', prefix: 'doc' })
class OtherSources extends Resolver {}

@Injectable()
@ResolvesResource({ resource: 'feed', prefix: 'src' })
class Feeds extends Resolver {}

@Injectable()
@ResolvesResource({ resource: 'webhook', prefix: 'wh' })
class Webhooks extends Resolver {}

const start = async (...providers: Type[]) => {
  const module = await Test.createTestingModule({
    imports: [DiscoveryModule],
    providers: [ResourceResolvers, ...providers],
  }).compile();
  return (await module.init()).close();
};

it('lets each kind of resource have one resolver', async () => {
  await start(Sources, Webhooks);
});

it.each([
  [OtherSources, 'Sources and OtherSources both resolve the resource source'],
  [Feeds, 'Sources and Feeds both resolve the prefix src'],
])('refuses to start with two resolvers: %p', async (other, message) => {
  await expect(start(Sources, Webhooks, other)).rejects.toThrow(message);
});

import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { handlersOf } from '../platform/http/nest-metadata.js';
import { isTypeId } from '../platform/http/type-id.js';
import { Problem } from '../platform/problems/problem.js';
import { OwnsResource, requiredAccess, type RequiredAccess } from './access.js';

/** Finds the knowledge base that a resource belongs to, by the provider that owns such resources. */
@Injectable()
export class ResourceOwners implements OnModuleInit {
  private owners = new Map<string, ReturnType<typeof OwnsResource.find>[number]>();

  constructor(private readonly discovery: DiscoveryService) {}

  /** @throws Error when a handler declares access by a resource that no provider owns */
  onModuleInit(): void {
    const found = OwnsResource.find(this.discovery);
    this.owners = new Map(found.map((owner) => [owner.options.resource, owner]));
    for (const { metatype } of this.discovery.getControllers()) {
      if (!metatype) continue;
      for (const { name, handler } of handlersOf(metatype)) {
        const resource = requiredAccess(handler)?.resource;
        if (resource !== undefined && !this.owners.has(resource)) {
          throw new Error(`${metatype.name}.${name}: no provider owns the resource ${resource}`);
        }
      }
    }
  }

  /** @throws Problem `not_found` */
  async kbIdOf(resource: RequiredAccess['resource'], id: string): Promise<string> {
    const owner = this.owners.get(resource);
    // A malformed id cannot exist.
    if (!owner || !isTypeId(owner.options.prefix, id)) throw new Problem('not_found');
    const kbId = await owner.instance.kbIdOf(id);
    if (kbId === undefined) throw new Problem('not_found');
    return kbId;
  }
}

import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { listHandlers } from '../platform/http/nest-metadata.js';
import { isTypeId } from '../platform/http/type-id.js';
import { Problem } from '../platform/problems/problem.js';
import type { DashboardUser, GrantedAccess } from './dashboard-auth/dashboard-user.js';
import { OwnsResource, type OwnAccess, requiredAccess } from './access.js';

/** Finds the knowledge base that a resource belongs to, by the provider that owns such resources. */
@Injectable()
export class ResourceOwners implements OnModuleInit {
  private owners = new Map<string, ReturnType<typeof OwnsResource.find>[number]>();

  constructor(private readonly discovery: DiscoveryService) {}

  /** @throws Error when a handler declares access by a resource that no provider owns, or two own one */
  onModuleInit(): void {
    const found = OwnsResource.find(this.discovery);
    for (const field of ['resource', 'prefix'] as const) {
      for (const [owned, [one, other]] of Map.groupBy(found, ({ options }) => options[field])) {
        if (!one || !other) continue;
        throw new Error(`${one.name} and ${other.name} both own the ${field} ${owned}`);
      }
    }
    this.owners = new Map(found.map((owner) => [owner.options.resource, owner]));
    for (const { metatype } of this.discovery.getControllers()) {
      if (!metatype) continue;
      for (const { name, handler } of listHandlers(metatype)) {
        const resource = requiredAccess(handler)?.resource;
        if (resource !== undefined && !this.owners.has(resource)) {
          throw new Error(`${metatype.name}.${name}: no provider owns the resource ${resource}`);
        }
      }
    }
  }

  /**
   * @returns undefined when the resource does not exist
   * @throws Problem `not_found` for an id of another kind, which cannot exist
   */
  async findKbId(resource: string, id: string): Promise<string | undefined> {
    const owner = this.owners.get(resource);
    if (!owner || !isTypeId(owner.options.prefix, id)) throw new Problem('not_found');
    return owner.instance.findKbId(id);
  }

  /** Whether resources of this kind expose content of documents. */
  exposeDocuments(resource: string): boolean {
    return this.owners.get(resource)?.options.withoutDocuments !== true;
  }

  /** @returns undefined for the id of a knowledge base, and of what no provider owns */
  findOwnAccess(id: string): OwnAccess | undefined {
    for (const { options, instance } of this.owners.values()) {
      if (instance.ownAccess && isTypeId(options.prefix, id)) return instance.ownAccess;
    }
    return undefined;
  }

  /** The statements `OwnAccess.ownedIds` of all kinds. */
  listOwnedIds(): string[] {
    return [...this.owners.values()].flatMap(({ instance }) => instance.ownAccess?.ownedIds ?? []);
  }

  /** @throws Problem `not_found` for what the user, a viewer, does not see */
  async requireVisible(
    resource: string,
    user: DashboardUser & { readonly access: GrantedAccess },
    kbId: string | undefined,
  ): Promise<void> {
    const isVisible = await this.owners.get(resource)?.instance.isVisible?.(user, kbId);
    if (isVisible === false) throw new Problem('not_found');
  }
}

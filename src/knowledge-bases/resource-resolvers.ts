import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { listHandlers } from '../platform/http/nest-metadata.js';
import { isTypeId } from '../platform/http/type-id.js';
import { Problem } from '../platform/problems/problem.js';
import type { DashboardUser, GrantedAccess } from './dashboard-auth/dashboard-user.js';
import { ResolvesResource, type StandaloneAccess, requiredAccess } from './access.js';

/** Finds the knowledge base that a resource belongs to, by the provider that resolves such ids. */
@Injectable()
export class ResourceResolvers implements OnModuleInit {
  private resolvers = new Map<string, ReturnType<typeof ResolvesResource.find>[number]>();

  constructor(private readonly discovery: DiscoveryService) {}

  /** @throws Error when a handler declares access by a resource that no provider resolves, or that two resolve */
  onModuleInit(): void {
    const found = ResolvesResource.find(this.discovery);
    for (const field of ['resource', 'prefix'] as const) {
      for (const [resolved, [one, other]] of Map.groupBy(found, ({ options }) => options[field])) {
        if (!one || !other) continue;
        throw new Error(`${one.name} and ${other.name} both resolve the ${field} ${resolved}`);
      }
    }
    this.resolvers = new Map(found.map((one) => [one.options.resource, one]));
    for (const { metatype } of this.discovery.getControllers()) {
      if (!metatype) continue;
      for (const { name, handler } of listHandlers(metatype)) {
        const resource = requiredAccess(handler)?.resource;
        if (resource !== undefined && !this.resolvers.has(resource)) {
          throw new Error(
            `${metatype.name}.${name}: no provider resolves the resource ${resource}`,
          );
        }
      }
    }
  }

  /**
   * @returns undefined when the resource does not exist
   * @throws Problem `not_found` for an id of another kind, which cannot exist
   */
  async findKbId(resource: string, id: string): Promise<string | undefined> {
    const resolver = this.resolvers.get(resource);
    if (!resolver || !isTypeId(resolver.options.prefix, id)) throw new Problem('not_found');
    return resolver.instance.findKbId(id);
  }

  /** Whether resources of this kind expose content of documents. */
  exposeDocuments(resource: string): boolean {
    return this.resolvers.get(resource)?.options.withoutDocuments !== true;
  }

  /** @returns undefined for the id of a knowledge base, and of what no provider resolves */
  findStandaloneAccess(id: string): StandaloneAccess | undefined {
    for (const { options, instance } of this.resolvers.values()) {
      if (instance.standaloneAccess && isTypeId(options.prefix, id))
        return instance.standaloneAccess;
    }
    return undefined;
  }

  /** The statements `StandaloneAccess.visibleIds` of all kinds. */
  listStandaloneIds(): string[] {
    return [...this.resolvers.values()].flatMap(
      ({ instance }) => instance.standaloneAccess?.visibleIds ?? [],
    );
  }

  /** @throws Problem `not_found` for what the user, a viewer, does not see */
  async requireVisible(
    resource: string,
    user: DashboardUser & { readonly access: GrantedAccess },
    kbId: string | undefined,
  ): Promise<void> {
    const isVisible = await this.resolvers.get(resource)?.instance.isVisible?.(user, kbId);
    if (isVisible === false) throw new Problem('not_found');
  }
}

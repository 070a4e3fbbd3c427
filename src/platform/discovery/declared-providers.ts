import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';

type ProviderClass<Instance> = abstract new (...parameters: never[]) => Instance;

/** Classes with a decorator of `declareProviders`, in the order in which they were imported. */
export const declaredClasses = new Set<object>();

/**
 * Creates a decorator by which providers are discovered, so that they need not register themselves.
 *
 * @typeParam Instance the interface of these providers
 */
export function declareProviders<Instance, Options = void>() {
  const discoverable = DiscoveryService.createDecorator<Options>();
  const declare =
    (options: Options) =>
    (provider: ProviderClass<Instance>): void => {
      declaredClasses.add(provider);
      discoverable(options)(provider);
    };
  return Object.assign(declare, {
    find: (discovery: DiscoveryService) =>
      discovery.getProviders({ metadataKey: discoverable.KEY }).map((wrapper) => ({
        name: String(wrapper.name),
        options: discovery.getMetadataByDecorator(discoverable, wrapper) as Options,
        instance: wrapper.instance as Instance,
      })),
  });
}

/** Prevents the start if a class has such a decorator but no module provides it. */
@Injectable()
export class DeclaredProviders implements OnModuleInit {
  constructor(private readonly discovery: DiscoveryService) {}

  onModuleInit(): void {
    const provided = new Set<unknown>(
      this.discovery
        .getProviders()
        .map(({ instance }: { instance: unknown }) => instance?.constructor),
    );
    for (const declared of declaredClasses) {
      if (!provided.has(declared)) {
        throw new Error(`${(declared as { name: string }).name} is declared, but no provider`);
      }
    }
  }
}

import { METHOD_METADATA } from '@nestjs/common/constants.js';

/** The methods of a controller that answer requests, for its class decorators, which run after theirs. */
export const handlersOf = ({ prototype }: { readonly prototype: object }) =>
  Object.entries(Object.getOwnPropertyDescriptors(prototype)).flatMap(([name, descriptor]) => {
    const handler: unknown = descriptor.value;
    if (typeof handler !== 'function' || !Reflect.hasMetadata(METHOD_METADATA, handler)) return [];
    const apply = (decorator: MethodDecorator) => decorator(prototype, name, descriptor);
    return [{ name, handler, apply }];
  });

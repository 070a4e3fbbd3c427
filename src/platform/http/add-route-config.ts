import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants.js';

/** Adds to what a handler's other decorators have configured, which Nest's RouteConfig would replace. */
export const AddRouteConfig =
  (added: object): MethodDecorator =>
  (_target, _name, { value }) => {
    const handler = value as object;
    const config = { ...routeConfigOf(handler), ...added };
    Reflect.defineMetadata(FASTIFY_ROUTE_CONFIG_METADATA, config, handler);
  };

/** What the decorators of a handler have configured; undefined for nothing. */
export const routeConfigOf = (handler: object): Readonly<Record<string, unknown>> | undefined =>
  Reflect.getMetadata(FASTIFY_ROUTE_CONFIG_METADATA, handler) as
    Readonly<Record<string, unknown>> | undefined;

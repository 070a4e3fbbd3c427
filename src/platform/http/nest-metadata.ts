import { METHOD_METADATA, PATH_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import type { RequestMethod } from '@nestjs/common';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants.js';

// Reads metadata of Nest's decorators for our class decorators, which run after them. Nest has no
// public API for that.

/** Lists the methods of a controller that handle requests. */
export const listHandlers = ({ prototype }: { readonly prototype: object }) =>
  Object.entries(Object.getOwnPropertyDescriptors(prototype)).flatMap(([name, descriptor]) => {
    const handler: unknown = descriptor.value;
    if (typeof handler !== 'function' || !Reflect.hasMetadata(METHOD_METADATA, handler)) return [];
    const apply = (decorator: MethodDecorator) => decorator(prototype, name, descriptor);
    return [{ name, handler, apply }];
  });

export const getRequestMethod = (handler: object) =>
  Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined;

/** Returns the path of a handler, relative to its controller. */
export const getHandlerPath = (handler: object) =>
  String(Reflect.getMetadata(PATH_METADATA, handler));

/** Whether a method of a controller has a parameter with `@Body()`. */
export function hasBodyParameter(controller: object, member: string): boolean {
  const parameters = Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, member) as
    object | undefined;
  return Object.keys(parameters ?? {}).some((key) => key.startsWith(`${RouteParamtypes.BODY}:`));
}

/** Adds to a handler's route configuration; Nest's RouteConfig would replace it. */
export const AddRouteConfig =
  (added: object): MethodDecorator =>
  (_target, _name, { value }) => {
    const handler = value as object;
    const config = { ...getRouteConfig(handler), ...added };
    Reflect.defineMetadata(FASTIFY_ROUTE_CONFIG_METADATA, config, handler);
  };

/** Returns the route configuration of a handler; undefined if there is none. */
export const getRouteConfig = (handler: object): Readonly<Record<string, unknown>> | undefined =>
  Reflect.getMetadata(FASTIFY_ROUTE_CONFIG_METADATA, handler) as
    Readonly<Record<string, unknown>> | undefined;

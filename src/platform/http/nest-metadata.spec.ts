import { describe, expect, it } from '@jest/globals';
import { Body, Controller, Get, Param, Post, RequestMethod } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import {
  AddRouteConfig,
  listHandlers,
  hasBodyParameter,
  getHandlerPath,
  getRequestMethod,
  getRouteConfig,
} from './nest-metadata.js';

@Controller('things')
class ThingsController {
  @Get(':thing_id')
  read(@Param('thing_id') id: string) {
    return id;
  }

  @AddRouteConfig({ dashboard: true })
  @RouteConfig({ multipart: true })
  @Post()
  create(@Body() body: object) {
    return this.helper(body);
  }

  helper(body: object) {
    return body;
  }
}

describe('what Nest’s decorators have said', () => {
  const handlers = listHandlers(ThingsController);

  it('is read of each handler: its method, path and body', () => {
    expect(
      handlers.map(({ name, handler }) => [
        ...[name, getRequestMethod(handler), getHandlerPath(handler)],
        hasBodyParameter(ThingsController, name),
      ]),
    ).toEqual([
      ['read', RequestMethod.GET, ':thing_id', false],
      ['create', RequestMethod.POST, '/', true],
    ]);
  });

  it('is added to, not replaced, where routes are configured', () => {
    const configs = handlers.map(({ handler }) => getRouteConfig(handler));
    expect(configs).toEqual([undefined, { multipart: true, dashboard: true }]);
  });
});

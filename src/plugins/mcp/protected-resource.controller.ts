import { Controller, Get, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { AddRouteConfig } from '../../platform/http/nest-metadata.js';
import { Problem } from '../../platform/problems/problem.js';
import { ProtectedResource, type ResourceMetadata } from './protected-resource.js';

/** Tells agents where they get tokens for `/mcp`. */
@ApiExcludeController()
@Controller('.well-known/oauth-protected-resource')
export class ProtectedResourceController {
  constructor(private readonly resource: ProtectedResource) {}

  @Get('mcp')
  @AddRouteConfig({ anyOrigin: true })
  getMcpResource(@Req() request: FastifyRequest): ResourceMetadata {
    const metadata = this.resource.findMetadata(request);
    if (!metadata) throw new Problem('not_found');
    return metadata;
  }

  /** Agents that only know the host look here. */
  @Get()
  @AddRouteConfig({ anyOrigin: true })
  getProtectedResource(@Req() request: FastifyRequest): ResourceMetadata {
    return this.getMcpResource(request);
  }
}

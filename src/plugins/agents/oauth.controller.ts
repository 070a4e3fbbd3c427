import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RateLimiter } from '../../api-keys/rate-limiter.js';
import { clientIp } from '../../platform/config/ip-address.js';
import { AddRouteConfig } from '../../platform/http/nest-metadata.js';
import { READS_BODY_LAST } from '../../platform/http/request-body.js';
import { Problem } from '../../platform/problems/problem.js';
import { AuthorizationServers } from './authorization-servers.js';
import { PAGE_HEADERS } from './pages.js';

/** Requests of one address in a minute. */
const REQUESTS_PER_MINUTE = 600;
const REGISTRATIONS_PER_MINUTE = 60;

/** Called by agents, whose pages may be anywhere. The authorization server reads the body. */
const ForAgents = () => AddRouteConfig({ anyOrigin: true, ...READS_BODY_LAST });

/** The endpoints of the authorization server, which its metadata name. */
@ApiExcludeController()
@Controller()
export class OAuthController {
  constructor(
    private readonly servers: AuthorizationServers,
    private readonly rateLimiter: RateLimiter,
  ) {}

  @Get('.well-known/oauth-authorization-server')
  @ForAgents()
  async getMetadata(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.limit(request, 'oauth', REQUESTS_PER_MINUTE);
    await this.servers.answer(request, reply);
  }

  /** Leads to the page of ConnectController. */
  @Get('oauth/authorize')
  async authorize(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.limit(request, 'oauth', REQUESTS_PER_MINUTE);
    await this.servers.answer(request, reply.headers(PAGE_HEADERS));
  }

  /** Leads from the page to the client, with a code. */
  @Get('oauth/authorize/:uid')
  async resume(
    @Param('uid') uid: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    // `/oauth/authorize/` would be taken for `/oauth/authorize`.
    if (uid === '') throw new Problem('not_found');
    await this.limit(request, 'oauth', REQUESTS_PER_MINUTE);
    await this.servers.answer(request, reply.headers(PAGE_HEADERS));
  }

  @Post('oauth/token')
  @ForAgents()
  async createTokens(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.limit(request, 'oauth', REQUESTS_PER_MINUTE);
    await this.servers.answer(request, reply);
  }

  @Post('oauth/register')
  @ForAgents()
  async register(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.limit(request, 'oauth-register', REGISTRATIONS_PER_MINUTE);
    await this.servers.answer(request, reply);
  }

  @Post('oauth/revoke')
  @ForAgents()
  async revoke(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.limit(request, 'oauth', REQUESTS_PER_MINUTE);
    await this.servers.answer(request, reply);
  }

  /** @throws Problem `rate_limited` */
  private async limit(request: FastifyRequest, operation: string, limit: number): Promise<void> {
    await this.rateLimiter.consumeForAddress(operation, clientIp(request), limit);
  }
}

import { Body, Controller, Get, Header, Post, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { RateLimiter } from '../../api-keys/rate-limiter.js';
import { Config } from '../../platform/config/config.js';
import { clientIp } from '../../platform/config/ip-address.js';
import { AddRouteConfig } from '../../platform/http/nest-metadata.js';
import { IdParam } from '../../platform/http/type-id.js';
import { Operation } from '../../platform/openapi/operation.js';
import { Problem } from '../../platform/problems/problem.js';
import { Challenges } from './challenges.js';
import { isOwnOrigin } from './own-origin.js';
import { SitesService } from './sites.service.js';
import { BeginVisitDto, ChallengeDto, SiteViewDto, VisitDto } from './visitor.dto.js';
import { VisitorTokens } from './visitor-tokens.js';

/** Of one address: families and offices share one. */
const VISITS_PER_MINUTE = 120;
const VIEWS_PER_MINUTE = 1200;
const PROBLEMS = ['rate_limited', 'database_unavailable'] as const;

/** What the widget calls, on pages of any origin. The operations need no credential. */
@ApiTags('Sites')
@Controller('sites/:site_id')
export class VisitorsController {
  constructor(
    private readonly sites: SitesService,
    private readonly challenges: Challenges,
    private readonly tokens: VisitorTokens,
    private readonly limiter: RateLimiter,
    private readonly config: Config,
  ) {}

  /**
   * Show a site to its visitors
   * @remarks What the widget shows. It needs no credential.
   */
  @Get('view')
  @AddRouteConfig({ anyOrigin: true })
  @Operation({ problems: [...PROBLEMS] })
  async viewSite(
    @IdParam('site') id: string,
    @Req() request: FastifyRequest,
  ): Promise<SiteViewDto> {
    await this.limiter.consumeForAddress('sites', clientIp(request), VIEWS_PER_MINUTE);
    const { name, greeting, suggestions, theme, contactUrl, state } = await this.sites.find(id);
    return { name, greeting, suggestions, theme, contact_url: contactUrl, state };
  }

  /**
   * Get a challenge
   * @remarks A proof of work in the form of ALTCHA, which a visit begins with. It needs no credential.
   */
  @Get('challenge')
  @Header('cache-control', 'no-store')
  @AddRouteConfig({ anyOrigin: true })
  @Operation({ problems: [...PROBLEMS] })
  async createChallenge(
    @IdParam('site') id: string,
    @Req() request: FastifyRequest,
  ): Promise<ChallengeDto> {
    const ip = clientIp(request);
    await this.limiter.consumeForAddress('sites', ip, VIEWS_PER_MINUTE);
    const site = await this.sites.find(id);
    const counted = `challenges ${site.id}`;
    const quota = await this.limiter.consumeForAddress(counted, ip, VISITS_PER_MINUTE);
    return this.challenges.create(site, quota.limit - quota.remaining);
  }

  /**
   * Begin a visit
   * @remarks For a page of the site’s origins: with a solved challenge, a visitor gets a client token for ten minutes,
   * which works on pages of this origin only.
   */
  @Post('visitors')
  @Header('cache-control', 'no-store')
  @AddRouteConfig({ anyOrigin: true })
  @Operation({ problems: [...PROBLEMS, 'origin_not_allowed', 'invalid_solution', 'site_paused'] })
  async beginVisit(
    @IdParam('site') id: string,
    @Body() { altcha, client_token: former }: BeginVisitDto,
    @Req() request: FastifyRequest,
  ): Promise<VisitDto> {
    const { origin = '' } = request.headers;
    await this.limiter.consumeForAddress('visits', clientIp(request), VISITS_PER_MINUTE);
    const site = await this.sites.find(id);
    const isOwn = isOwnOrigin(this.config, origin, request);
    if (!isOwn && !site.origins.includes(origin)) throw new Problem('origin_not_allowed');
    if (site.state === 'paused') throw new Problem('site_paused');
    if (!(await this.challenges.accept(site, altcha))) throw new Problem('invalid_solution');
    const visitor = this.tokens.findVisitor(former, id, origin);
    const page = { site: id, origin, ...(isOwn && { isOwn: true as const }) };
    const { token, expiresAt } = this.tokens.sign(page, visitor);
    return { client_token: token, expires_at: expiresAt.toISOString() };
  }
}

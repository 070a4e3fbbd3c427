import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Controller, Post, UseGuards } from '@nestjs/common';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { RateLimiter } from '../api-keys/rate-limiter.js';
import type { DashboardRequest } from '../knowledge-bases/dashboard-auth/dashboard-user.js';
import { PlaygroundLimit } from './playground-limit.js';

@Controller('ask')
@UseGuards(PlaygroundLimit)
class AskController {
  @Post()
  ask(): string {
    return 'answer';
  }
}

describe(PlaygroundLimit, () => {
  let app: NestFastifyApplication;

  beforeEach(async () => {
    const counter = new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: 60 });
    const limiter = new RateLimiter({ counter, close: () => undefined });
    const module = await Test.createTestingModule({
      controllers: [AskController],
      providers: [{ provide: RateLimiter, useValue: limiter }],
    }).compile();
    app = module.createNestApplication<NestFastifyApplication>(new FastifyAdapter());
    // As DashboardAuthGuard does.
    const fastify = app.getHttpAdapter().getInstance();
    fastify.addHook('onRequest', (request: DashboardRequest, _reply, done) => {
      const id = request.headers['x-idp-user-id'];
      if (typeof id === 'string') request.dashboardUser = { id, groups: [], requestId: request.id };
      done();
    });
    await app.listen(0, '127.0.0.1');
  });

  afterEach(() => app.close());

  const ask = async (user?: string) =>
    fetch(`${await app.getUrl()}/ask`, {
      method: 'POST',
      headers: user === undefined ? {} : { 'x-idp-user-id': user },
    });

  it('lets 60 questions a minute of each user through, and says how many are left', async () => {
    const first = await ask('alice');
    expect(first.headers.get('ratelimit')).toBe('"per-user";r=59;t=60');
    for (let n = 2; n <= 60; n++) expect((await ask('alice')).status).toBe(201);
    expect((await ask('alice')).status).toBe(429);
    expect((await ask('bob')).status).toBe(201);
  });

  it('lets nobody through of whom it does not know who it is', async () => {
    expect((await ask()).status).toBe(500);
  });
});

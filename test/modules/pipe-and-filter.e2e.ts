import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { IsString } from 'class-validator';
import { IsInteger, IsOptionalNotNull } from '../../src/platform/http/fields.js';
import { ProblemFilter } from '../../src/platform/http/problem.filter.js';
import { BodyValidationPipe } from '../../src/platform/http/validation.pipe.js';
import { Problem } from '../../src/platform/problems/problem.js';
import { TestingApp } from '../support/testing-app.js';

class ProbeDto {
  @IsString() name: string;
  @IsOptionalNotNull() @IsInteger(1, 10) count?: number = 3;
}

@Controller('probe')
class Probe {
  @Post()
  @HttpCode(200)
  take(@Body() dto: ProbeDto) {
    return { isInstance: dto instanceof ProbeDto, ...dto };
  }

  @Get('problem')
  problem() {
    throw new Problem('last_owner');
  }

  @Get('error')
  error() {
    throw new Error('SELECT a_secret FROM somewhere');
  }
}

let app: TestingApp;
beforeAll(async () => {
  app = await TestingApp.start({}, { controllers: [Probe] });
});
afterAll(() => app.stop());

async function call(path: string, init?: RequestInit) {
  const response = await fetch(`${app.url}/api/v1/probe${path}`, init);
  const text = await response.text();
  return { response, text, body: JSON.parse(text) as Record<string, unknown> };
}

const post = (body: string) =>
  call('', { method: 'POST', headers: { 'content-type': 'application/json' }, body });

describe(BodyValidationPipe.name, () => {
  it('gives handlers an instance of their DTO, with its defaults', async () => {
    const { response, body } = await post('{"name":"a"}');
    expect([response.status, body]).toEqual([200, { isInstance: true, name: 'a', count: 3 }]);
  });

  it.each([
    ['{"name":1}', 'name'],
    ['{"name":"a","count":11}', 'count'],
    ['{"name":"a","more":1}', 'more'],
    ['{"name":"a","constructor":1}', 'constructor'],
  ])('names the field of %s that is wrong', async (text, field) => {
    const { response, body } = await post(text);
    expect(response.status).toBe(400);
    expect(body).toMatchObject({ code: 'validation_failed', errors: [{ field }] });
  });

  it.each(['[]', 'null', '"a"', '1', ''])('refuses %j as a body', async (text) => {
    const { response, body } = await post(text);
    expect([response.status, body['code']]).toEqual([400, 'validation_failed']);
  });
});

describe(ProblemFilter.name, () => {
  it('answers a problem as problem details with the id of the request', async () => {
    const { response, body } = await call('/problem', { headers: { 'x-request-id': 'mine' } });
    expect(response.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect(body).toMatchObject({ status: 409, code: 'last_owner', request_id: 'mine' });
  });

  it('says nothing of an error that nobody foresaw', async () => {
    const { response, text, body } = await call('/error');
    expect([response.status, body['code']]).toEqual([500, 'internal_error']);
    expect(text).not.toMatch(/secret|SELECT|probe\.e2e|at /);
  });

  it.each([
    ['an unknown path', '/nothing', 'GET', 404, 'not_found'],
    ['another method', '/problem', 'POST', 405, 'method_not_allowed'],
  ])('tells %s', async (_, path, method, status, code) => {
    const { response, body } = await call(path, { method });
    expect([response.status, body['code']]).toEqual([status, code]);
  });
});

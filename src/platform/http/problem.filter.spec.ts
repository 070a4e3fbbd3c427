import { describe, expect, it } from '@jest/globals';
import { HttpException } from '@nestjs/common';
import { QueryFailedError } from 'typeorm';
import { Problem } from '../problems/problem.js';
import { toProblem } from './problem.filter.js';

const withCode = (code: string) => Object.assign(new Error('secret detail'), { code });

describe(toProblem.name, () => {
  it('returns a problem as it is', () => {
    const problem = new Problem('last_owner');
    expect(toProblem(problem)).toBe(problem);
  });

  it.each<[string, unknown]>([
    ['not_found', withCode('FST_ERR_BAD_URL')],
    ['not_found', Object.assign(new Error(), { statusCode: 414 })],
    ['validation_failed', Object.assign(new SyntaxError(), { statusCode: 400 })],
    ['payload_too_large', Object.assign(new Error(), { statusCode: 413 })],
    ['unsupported_media_type', new HttpException('', 415)],
    ['database_unavailable', withCode('ECONNREFUSED')],
    ['database_unavailable', new QueryFailedError('SELECT 1', [], withCode('SQLITE_BUSY'))],
    ['internal_error', new Error('secret detail')],
    ['internal_error', 'secret detail'],
  ])('answers %s for %p', (code, thrown) => {
    const problem = toProblem(thrown);
    expect(problem.code).toBe(code);
    expect(JSON.stringify(problem.toBody(''))).not.toContain('secret detail');
  });
});

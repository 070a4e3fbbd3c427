import { Injectable, Param, PipeTransform } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { onMethod } from '../../platform/openapi/operation.js';
import { invalidField, Problem } from '../../platform/problems/problem.js';
import { unauthenticated } from './unauthenticated.js';

const HEADER = 'x-idp-user-id';
/** Visible ASCII without the comma, which is how proxies join repeated headers. */
const USER_ID = /^[\x21-\x2b\x2d-\x7e]{1,255}$/;

/**
 * Reads the one X-Idp-User-Id header from the raw headers, because Node joins repeated ones into a
 * value that looks like one.
 *
 * @param rawHeaders names and values in turn, as node:http gives them
 */
export function readUserId(rawHeaders: readonly string[]): string {
  const values = rawHeaders.filter(
    (_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === HEADER,
  );
  const [value = ''] = values;
  if (values.length > 1) throw new Problem('invalid_user_id');
  if (value === '') {
    throw unauthenticated('IdpUserId realm="dashboard"');
  }
  if (!USER_ID.test(value)) throw new Problem('invalid_user_id');
  return value;
}

@Injectable()
class UserIdPipe implements PipeTransform<unknown, string> {
  transform(value: unknown): string {
    if (typeof value === 'string' && USER_ID.test(value)) return value;
    throw invalidField('user_id', 'user_id must have 1 to 255 visible ASCII characters, no comma');
  }
}

export const UserIdParam =
  (): ParameterDecorator =>
  (...target) => {
    Param('user_id', UserIdPipe)(...target);
    const schema = { type: 'string', pattern: USER_ID.source, maxLength: 255, example: 'bob' };
    const description = 'As the dashboard’s identity provider names them.';
    onMethod(ApiParam({ name: 'user_id', description, schema }))(...target);
  };

import { Injectable, Param, PipeTransform } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { toComparableName } from '@latchkey/text/person-name';
import { idSchema } from '../../platform/openapi/api-fields.js';
import { onMethod } from '../../platform/openapi/operation.js';
import { invalidField, Problem } from '../../platform/problems/problem.js';
import { unauthenticated } from './unauthenticated.js';
import { parsePrincipal } from '../access-rules/principals.js';
import { GROUP_PREFIX } from './user-groups.js';

const HEADER = 'x-idp-user-id';
const SERVICE_ACCOUNT = new RegExp(idSchema('sa').pattern);
/**
 * Visible ASCII without the comma, with which proxies join repeated headers. Members that begin with
 * `group:` are groups.
 */
const USER_ID = /^(?!group:)[\x21-\x2b\x2d-\x7e]{1,255}$/i;

/** Whether a value can be the id of a person. Only its keys speak for a service account. */
export const isUserId = (value: unknown): value is string =>
  typeof value === 'string' &&
  USER_ID.test(value) &&
  !SERVICE_ACCOUNT.test(toComparableName(value));

/** The form in which a member is compared: users like persons, groups unchanged. */
export const comparedMemberId = (id: string): string =>
  id.startsWith(GROUP_PREFIX) ? id : toComparableName(id);

const headerValues = (rawHeaders: readonly string[]): string[] =>
  rawHeaders.filter(
    (_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === HEADER,
  );

export const hasUserId = (rawHeaders: readonly string[]): boolean =>
  headerValues(rawHeaders).length > 0;

/**
 * Reads the one X-Idp-User-Id header from the raw headers, because Node joins repeated ones into a
 * value that looks like one.
 *
 * @param rawHeaders names and values in turn, as node:http gives them
 */
export function readUserId(rawHeaders: readonly string[]): string {
  const values = headerValues(rawHeaders);
  const [value = ''] = values;
  if (values.length > 1) throw new Problem('invalid_user_id');
  if (value === '') {
    throw unauthenticated('IdpUserId realm="dashboard"');
  }
  if (!isUserId(value)) throw new Problem('invalid_user_id');
  return value;
}

@Injectable()
class MemberIdPipe implements PipeTransform<string, string> {
  transform(value: string): string {
    if (USER_ID.test(value)) return value;
    const group = value.startsWith(GROUP_PREFIX) ? parsePrincipal(value) : undefined;
    if (group !== undefined) return group;
    throw invalidField(
      'user_id',
      'user_id must have 1 to 255 visible ASCII characters, no comma; or be `group:` and a name',
    );
  }
}

/** Declares a parameter that is a user or a group. */
export const MemberIdParam =
  (): ParameterDecorator =>
  (...target) => {
    Param('user_id', MemberIdPipe)(...target);
    const schema = { type: 'string', minLength: 1, maxLength: 261, example: 'bob' };
    const description =
      'The id of the user at the identity provider, or `group:` and the name of a group.';
    onMethod(ApiParam({ name: 'user_id', description, schema }))(...target);
  };

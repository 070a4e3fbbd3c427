import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, ValidateBy } from 'class-validator';
import { IsOptionalNotNull } from '../../platform/http/fields.js';
import { MAX_PRINCIPALS, parsePrincipal } from './principals.js';
import { EVERYONE } from './readable-sql.js';

const MAX_ENTRY_LENGTH = 261;

/** A list of at most 500 entries, as they were sent: see `distinctNames`. */
const arePrincipals = (parse: (value: unknown) => string | undefined, names: string) =>
  applyDecorators(
    IsArray(),
    ArrayMaxSize(MAX_PRINCIPALS),
    ValidateBy(
      {
        name: 'arePrincipals',
        validator: {
          validate: (entry: unknown) => parse(entry) !== undefined,
          defaultMessage: () => `each entry of $property must be ${names}, of 1 to 255 characters`,
        },
      },
      { each: true },
    ),
    ApiProperty({
      type: 'array',
      maxItems: MAX_PRINCIPALS,
      items: { type: 'string', maxLength: MAX_ENTRY_LENGTH, example: 'group:support' },
    }),
  );

/** Validates a list of principals. */
export const ArePrincipals = () => arePrincipals(parsePrincipal, 'user:<id> or group:<name>');

const parseEntry = (value: unknown) => (value === EVERYONE ? EVERYONE : parsePrincipal(value));
const AreEntries = () => arePrincipals(parseEntry, 'everyone, user:<id> or group:<name>');

/** Who may read a document: everybody in `allow` who is not in `deny`. */
export class AccessRuleDto {
  /** `everyone`, `user:<id>` or `group:<name>`; if it is empty, nobody can read the document. */
  @AreEntries() @ApiProperty({ example: ['group:support'] }) allow: string[];
  /** `everyone`, `user:<id>` or `group:<name>`; empty by default. */
  @IsOptionalNotNull() @AreEntries() deny?: string[];
}

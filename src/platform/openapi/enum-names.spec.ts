import { describe, expect, it } from '@jest/globals';
import type { OpenAPIObject } from '@nestjs/swagger';
import { nameEnumValues } from './enum-names.js';

function named(schemas: object): object {
  const document = structuredClone({ components: { schemas } }) as unknown as OpenAPIObject;
  nameEnumValues(document);
  return document.components?.schemas ?? {};
}

describe(nameEnumValues.name, () => {
  it('prefixes the names of an enum that shares one with an earlier enum', () => {
    const first = { enum: ['api_key.revoked', 'member.added'] };
    const second = { enum: ['not_found', 'api_key_revoked'] };
    expect(named({ AuditAction: first, ProblemCode: second })).toEqual({
      AuditAction: first,
      ProblemCode: {
        ...second,
        'x-enum-varnames': ['PROBLEM_CODE_NOT_FOUND', 'PROBLEM_CODE_API_KEY_REVOKED'],
      },
    });
  });

  it('leaves enums of fields as they are, which stand in classes of their own', () => {
    const field = { type: 'object', properties: { state: { enum: ['active', 'paused'] } } };
    const schemas = { A: field, B: field, State: { enum: ['active'] } };
    expect(named(schemas)).toEqual(schemas);
  });

  it('names values of signs by their code points', () => {
    const operator = { enum: ['is not', '≠', '<='] };
    expect(named({ A: { properties: { operator } } })).toEqual({
      A: {
        properties: {
          operator: { ...operator, 'x-enum-varnames': ['IS_NOT', 'U2260', 'U3c_U3d'] },
        },
      },
    });
  });
});

import { describe, expect, it } from '@jest/globals';
import type { OpenAPIObject } from '@nestjs/swagger';
import { rewriteNullableSchemas } from './nullable-schemas.js';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** The components after a rewriting, of which `Owner` has the field. */
function rewritten(field: object, others: object = {}): Record<string, unknown> {
  const schemas = { ...others, Owner: { type: 'object', properties: { field } } };
  const document = { paths: {}, components: { schemas } } as unknown as OpenAPIObject;
  rewriteNullableSchemas(document);
  return document.components?.schemas ?? {};
}
const fieldOf = ({ Owner }: Record<string, unknown>) =>
  (Owner as { properties: { field: unknown } }).properties.field;

describe(rewriteNullableSchemas.name, () => {
  it('writes a type and null as a list of two types', () => {
    const schemas = rewritten({ anyOf: [{ type: 'string', maxLength: 5 }, { type: 'null' }] });
    expect(fieldOf(schemas)).toEqual({ type: ['string', 'null'], maxLength: 5 });
  });

  it('refers to a component that may be null, and drops the one that nobody needs', () => {
    const Budget = { type: 'object', properties: { messages: { type: 'integer' } } };
    const schemas = rewritten({ anyOf: [ref('Budget'), { type: 'null' }] }, { Budget });
    expect(fieldOf(schemas)).toEqual(ref('BudgetOrNull'));
    expect(schemas).toEqual({
      Owner: schemas['Owner'],
      BudgetOrNull: { ...Budget, type: ['object', 'null'] },
    });
  });

  it('keeps a component that others need without null, and what is said beside a reference', () => {
    const State = { type: 'string', enum: ['on', 'off'] };
    const schemas = rewritten(
      { description: 'Its state.', oneOf: [ref('State'), { type: 'null' }] },
      { State, List: { type: 'array', items: ref('State') } },
    );
    expect(fieldOf(schemas)).toEqual({ description: 'Its state.', allOf: [ref('StateOrNull')] });
    expect(schemas['State']).toEqual(State);
    expect(schemas['StateOrNull']).toEqual({
      type: ['string', 'null'],
      enum: ['on', 'off', null],
    });
  });

  it('gives null to the last of several alternatives, also behind references', () => {
    const one = { type: 'object', properties: {} };
    const schemas = rewritten(
      { anyOf: [ref('Filter'), { type: 'null' }] },
      { Filter: { oneOf: [ref('A'), ref('B')] }, A: one, B: one },
    );
    expect(schemas['FilterOrNull']).toEqual({ oneOf: [ref('A'), ref('BOrNull')] });
    expect(schemas['BOrNull']).toEqual({ ...one, type: ['object', 'null'] });
    const id = rewritten({ oneOf: [{ type: 'string' }, { type: 'number' }, { type: 'null' }] });
    expect(fieldOf(id)).toEqual({ oneOf: [{ type: 'string' }, { type: ['number', 'null'] }] });
  });

  it('leaves alternatives without null as they are', () => {
    const field = { oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] };
    expect(fieldOf(rewritten(field))).toEqual(field);
  });
});

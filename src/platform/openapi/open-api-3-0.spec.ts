import { describe, expect, it } from '@jest/globals';
import type { OpenAPIObject } from '@nestjs/swagger';
import { toOpenApi30 } from './open-api-3-0.js';

const response = { description: 'Refused.', headers: {} };
const document = {
  openapi: '3.1.0',
  info: { title: 'A', version: '1' },
  paths: {
    '/a': {
      get: {
        responses: {
          '200': {
            description: '',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/A' } } },
          },
          default: { $ref: '#/components/responses/Problem', description: 'Only here.' },
        },
      },
    },
  },
  webhooks: { b: { post: { requestBody: { $ref: '#/components/schemas/B' } } } },
  components: {
    schemas: {
      A: {
        type: ['object', 'null'],
        propertyNames: { pattern: '^a' },
        properties: {
          // The names of fields are not keywords.
          type: { type: ['string', 'null'], enum: ['x', null], examples: ['x'] },
          examples: { type: 'array', items: { type: 'number' } },
        },
      },
      B: { type: 'object', properties: { c: { $ref: '#/components/schemas/C' } } },
      C: { type: 'string' },
    },
    responses: { Problem: response },
  },
} as unknown as OpenAPIObject;

describe(toOpenApi30.name, () => {
  const converted = toOpenApi30(document);

  it('writes null and examples as OpenAPI 3.0 does, and keeps names of fields', () => {
    expect(converted.openapi).toBe('3.0.3');
    expect(converted.components?.schemas).toEqual({
      A: {
        type: 'object',
        nullable: true,
        properties: {
          type: { type: 'string', nullable: true, enum: ['x', null], example: 'x' },
          examples: { type: 'array', items: { type: 'number' } },
        },
      },
    });
  });

  it('leaves out webhooks with what only they refer to', () => {
    expect(converted).not.toHaveProperty('webhooks');
  });

  it('writes a response out where more is said of it', () => {
    expect(converted.paths['/a']?.get?.responses['default']).toEqual({
      ...response,
      description: 'Only here.',
    });
  });

  it('refuses what it cannot say', () => {
    const A = { type: ['string', 'number'] };
    const other = {
      ...document,
      paths: {},
      components: { schemas: { A } },
    } as unknown as OpenAPIObject;
    expect(() => toOpenApi30(other)).toThrow('no list of types');
  });

  it('changes nothing of the document that it is given', () => {
    expect(document.components?.schemas).toHaveProperty('C');
  });
});

import { describe, expect, it } from '@jest/globals';
import { allowedModel, requireAllowedModel } from './models.js';

const MODEL = {
  ...{ baseUrl: 'http://localhost/v1', apiKey: undefined, timeoutMs: 1, wholeAnswerMs: 10 },
  model: 'own',
  models: ['own', 'big'],
};

describe('the models that a knowledge base may name', () => {
  it.each(['own', 'big', 'extractive'])('are those of the operator: %s', (name) => {
    expect(allowedModel(MODEL, name)).toBe(name);
    expect(() => {
      requireAllowedModel(MODEL, name, 'model');
    }).not.toThrow();
  });

  it.each(['dear', 'Own', 'own ', ''])(
    'are no others, for which the operator’s is taken: %j',
    (name) => {
      expect(allowedModel(MODEL, name)).toBeNull();
      expect(() => {
        requireAllowedModel(MODEL, name, 'model');
      }).toThrow(expect.objectContaining({ code: 'validation_failed' }));
    },
  );

  it('are none without a model but extractive', () => {
    expect(allowedModel(undefined, 'own')).toBeNull();
    expect(allowedModel(undefined, 'extractive')).toBe('extractive');
  });

  it.each([null, undefined])('may be left to the operator: %j', (name) => {
    expect(allowedModel(MODEL, null)).toBeNull();
    expect(() => {
      requireAllowedModel(undefined, name, 'model');
    }).not.toThrow();
  });
});

import { Get } from '@nestjs/common';
import { describe, expect, it } from '@jest/globals';
import { getRouteConfig } from '../platform/http/nest-metadata.js';
import type { Problem } from '../platform/problems/problem.js';
import { PartnerController } from './partner-controller.js';
import { RequiresScope } from './requires-scope.js';
import { type RequiredScope, requireScope } from './scope.js';

describe(requireScope.name, () => {
  const refusal = (granted: RequiredScope[], required: RequiredScope[]) => {
    try {
      requireScope(granted, required);
      return undefined;
    } catch (error) {
      return (error as Problem).toBody('');
    }
  };

  it('wants one of the scopes', () => {
    expect(refusal(['query'], ['query'])).toBeUndefined();
    expect(refusal(['chat'], ['query', 'chat'])).toBeUndefined();
  });

  it('names what is missing', () => {
    expect(refusal([], ['documents:read'])).toMatchObject({
      status: 403,
      code: 'insufficient_scope',
      detail: expect.stringContaining('documents:read') as unknown,
    });
    expect(refusal(['feedback'], ['query', 'chat'])).toMatchObject({
      detail: 'The credential lacks the scope query or chat.',
    });
  });
});

describe(PartnerController.name, () => {
  it('refuses a route without a scope, so that the service does not start', () => {
    class Forgetful {
      ask(): void {
        return undefined;
      }
    }
    const handler = Object.getOwnPropertyDescriptor(Forgetful.prototype, 'ask');
    if (handler) Get()(Forgetful.prototype, 'ask', handler);
    expect(() => {
      PartnerController('x')(Forgetful);
    }).toThrow('Forgetful.ask needs RequiresScope');
  });

  it('leaves what is no route alone, and tells the guard how each is called', () => {
    @PartnerController('x', { credential: 'bearer', browsers: false })
    class Careful {
      @Get()
      @RequiresScope('query')
      ask(): string {
        return this.other();
      }

      other(): string {
        return '';
      }
    }
    // eslint-disable-next-line @typescript-eslint/unbound-method -- read, not called
    expect(getRouteConfig(Careful.prototype.ask)).toEqual({
      scopes: ['query'],
      readsBodyLast: true,
    });
  });
});

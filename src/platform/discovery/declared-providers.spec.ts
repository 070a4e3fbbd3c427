import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable, type Type } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { declaredClasses, declareProviders, DeclaredProviders } from './declared-providers.js';

interface Step {
  run(): string;
}
const RunsAsStep = declareProviders<Step, { readonly name: string }>();

describe(DeclaredProviders.name, () => {
  let before: object[];

  beforeEach(() => {
    before = [...declaredClasses];
    declaredClasses.clear();
  });
  afterEach(() => {
    declaredClasses.clear();
    for (const declared of before) declaredClasses.add(declared);
  });

  const start = async (...providers: Type[]) => {
    const module = await Test.createTestingModule({
      imports: [DiscoveryModule],
      providers: [DeclaredProviders, ...providers],
    }).compile();
    return module.init();
  };

  it('lets those be found that a module provides, with their options', async () => {
    @Injectable()
    @RunsAsStep({ name: 'first' })
    class FirstStep {
      run() {
        return 'ran';
      }
    }
    @Injectable()
    class NoStep {}
    const found = RunsAsStep.find((await start(FirstStep, NoStep)).get(DiscoveryService));
    expect(found.map(({ name, options, instance }) => [name, options, instance.run()])).toEqual([
      ['FirstStep', { name: 'first' }, 'ran'],
    ]);
  });

  it('makes the start fail for one that no module provides', async () => {
    @RunsAsStep({ name: 'forgotten' })
    class ForgottenStep {
      run() {
        return '';
      }
    }
    expect(ForgottenStep).toBeDefined();
    await expect(start()).rejects.toThrow('ForgottenStep is declared, but no provider');
  });
});

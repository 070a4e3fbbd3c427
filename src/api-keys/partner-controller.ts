import { applyDecorators, Controller, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AllowAnyOrigin } from '../http/browsers.js';
import { MayAnswer } from '../openapi/operation.js';
import { ApiKeyGuard } from './api-key.guard.js';

/** A controller whose callers are partners' backends, with an API key in the body. */
export const PartnerController = (path = '') =>
  applyDecorators(
    Controller(path),
    UseGuards(ApiKeyGuard),
    ApiTags('Ask'),
    onEachHandler(AllowAnyOrigin()),
    MayAnswer(
      'api_key_required',
      'invalid_api_key',
      'api_key_revoked',
      'api_key_expired',
      'ip_not_allowed',
      'origin_not_allowed',
      'rate_limited',
      'verification_busy',
      'database_unavailable',
    ),
  );

const onEachHandler =
  (decorate: MethodDecorator): ClassDecorator =>
  ({ prototype }: { readonly prototype: object }) => {
    const members = Object.entries(Object.getOwnPropertyDescriptors(prototype));
    for (const [name, descriptor] of members) {
      if (name !== 'constructor') decorate(prototype, name, descriptor);
    }
  };

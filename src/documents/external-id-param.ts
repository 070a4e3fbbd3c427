import { Injectable, Param, PipeTransform } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { hasLength, isStorableText } from '../platform/http/text.js';
import { onMethod } from '../platform/openapi/operation.js';
import { invalidField } from '../platform/problems/problem.js';

const MAX_LENGTH = 255;

@Injectable()
class ExternalIdPipe implements PipeTransform<unknown, string> {
  transform(value: unknown): string {
    if (isStorableText(value) && hasLength(value, 1, MAX_LENGTH)) return value;
    throw invalidField(
      'external_id',
      `external_id must have 1 to ${MAX_LENGTH} characters of well-formed Unicode without NUL`,
    );
  }
}

/** The path parameter `{external_id}`. */
export const ExternalIdParam =
  (): ParameterDecorator =>
  (...target) => {
    Param('external_id', ExternalIdPipe)(...target);
    const schema = { type: 'string', minLength: 1, maxLength: MAX_LENGTH };
    const description = 'Your own id of the document, percent-encoded.';
    const example = 'policies/returns';
    onMethod(ApiParam({ name: 'external_id', description, schema, example }))(...target);
  };

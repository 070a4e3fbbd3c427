import { applyDecorators } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiBody,
  ApiExtraModels,
  ApiOkResponse,
  ApiProperty,
  ApiResponse,
  getSchemaPath,
} from '@nestjs/swagger';
import { ApiInteger } from '../../platform/openapi/api-fields.js';

/** A message of JSON-RPC 2.0; the protocol's own server validates it. */
export type JsonRpcRequest = unknown;

/**
 * Of any text in a message, and any name: the protocol's own server repeats ids and names in its answers. A
 * question has at most 8000 characters, metadata that a filter could name 16 KiB.
 */
export const MAX_TEXT_LENGTH = 16 * 1024;

const ID = { type: 'string', maxLength: MAX_TEXT_LENGTH };
const ANYTHING = { type: 'object', additionalProperties: true } as const;

export class JsonRpcRequestDto {
  jsonrpc: '2.0';
  /** Absent in a notification, which is not answered. */
  @ApiProperty({
    oneOf: [ID, { type: 'integer', format: 'int64', minimum: 0, maximum: Number.MAX_SAFE_INTEGER }],
    example: 1,
  })
  id?: string | number;
  /**
   * Such as `initialize`, `tools/list` or `tools/call`.
   * @example 'tools/list'
   */
  @ApiProperty({ maxLength: MAX_TEXT_LENGTH }) method: string;
  @ApiProperty({ ...ANYTHING, example: {} }) params?: Record<string, unknown>;
}

export class JsonRpcErrorDto {
  @ApiInteger() code: number;
  message: string;
  @ApiProperty(ANYTHING) data?: unknown;
}

export class JsonRpcResponseDto {
  jsonrpc: '2.0';
  @ApiProperty({ oneOf: [{ type: 'string' }, { type: 'number' }, { type: 'null' }], example: 1 })
  id?: string | number | null;
  @ApiProperty({ ...ANYTHING, example: { tools: [] } }) result?: Record<string, unknown>;
  error?: JsonRpcErrorDto;
}

const ERRORS = {
  400: 'The message is not one of the protocol.',
  404: 'There is no such method.',
  406: 'The header `Accept` lacks `application/json` or `text/event-stream`.',
} as const;

/** Documents the bodies of the request and of its responses. */
export const ApiJsonRpc = () => {
  const message = { schema: { $ref: getSchemaPath(JsonRpcResponseDto) } };
  return applyDecorators(
    ApiExtraModels(JsonRpcResponseDto),
    ApiBody({ type: JsonRpcRequestDto }),
    ApiOkResponse({
      description: 'The answer, or events of which the last is the answer.',
      content: { 'application/json': message, 'text/event-stream': { schema: { type: 'string' } } },
    }),
    ApiAcceptedResponse({ description: 'A notification, which has no answer.' }),
    ...Object.entries(ERRORS).map(([status, description]) =>
      ApiResponse({
        status: Number(status),
        description,
        content: { 'application/json': message },
      }),
    ),
  );
};

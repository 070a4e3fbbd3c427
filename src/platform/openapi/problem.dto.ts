import { ApiProperty } from '@nestjs/swagger';
import { ApiId, ApiInteger } from './api-fields.js';
import { PROBLEMS } from '../problems/problem.js';

/** An invalid field. */
export class FieldErrorDto {
  /** @example 'name' */
  field: string;
  /** @example 'name must have 1 to 100 characters' */
  message: string;
}

/** Problem details (RFC 9457). Switch on `code`; it never changes. */
export class ProblemDto {
  /** @example 'urn:latchkey:problem:validation_failed' */
  type: string;
  /** @example 'Validation failed' */
  title: string;
  /** @example 400 */
  @ApiInteger({ minimum: 400, maximum: 599 }) status: number;
  /** @example 'The request is invalid; see errors.' */
  detail: string;
  /** A stable code for programs. */
  @ApiProperty({
    enum: Object.keys(PROBLEMS),
    enumName: 'ProblemCode',
    example: 'validation_failed',
  })
  code: string;
  /** Also in the header X-Request-Id; quote it when you ask for help. */
  request_id: string;
  /** With `validation_failed`: what is wrong, field by field. */
  errors?: FieldErrorDto[];
  /** With `duplicate_document`: the existing document. */
  @ApiId('doc') existing_document_id?: string;
  /**
   * With `quota_reached`: the quota that the operator can raise.
   * @example 'MAX_DOCUMENTS_PER_KNOWLEDGE_BASE'
   */
  quota?: string;
  /** With `invitation_ended`: why. */
  @ApiProperty({ enum: ['used', 'expired', 'withdrawn', 'unknown', 'maker_left'] })
  reason?: string;
}

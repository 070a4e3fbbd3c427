import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import {
  applyDecorators,
  createParamDecorator,
  ExecutionContext,
  Injectable,
  PipeTransform,
  UseInterceptors,
} from '@nestjs/common';
import { ApiExtraModels, ApiOperation, getSchemaPath } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { AcceptsMultipart } from '../../http/multipart.js';
import { BodyValidationPipe } from '../../http/validation.pipe.js';
import {
  CreateDocumentDto,
  DOCUMENT_EXAMPLE,
  UploadDocumentDto,
} from '../document-requests.dto.js';
import type { DocumentUpload } from '../document-upload.service.js';
import { mediaTypeOf } from './media-type.js';
import { UploadInterceptor } from './upload.interceptor.js';
import { UploadedFile } from './uploaded-file.js';

const MAX_TITLE = 500;

const Body = createParamDecorator(
  (_: unknown, context: ExecutionContext) =>
    context.switchToHttp().getRequest<FastifyRequest>().body,
);

/** Turns either form of body, JSON or multipart, into a DocumentUpload. */
@Injectable()
class DocumentUploadPipe implements PipeTransform<unknown, Promise<DocumentUpload>> {
  private readonly validation = new BodyValidationPipe();

  async transform(body: unknown): Promise<DocumentUpload> {
    const file = fileOf(body);
    if (!file) {
      const {
        text,
        mime_type = 'text/plain',
        ...fields
      } = await this.valid(body, CreateDocumentDto);
      const content = Buffer.from(text);
      return {
        ...fields,
        mimeType: mime_type,
        sizeBytes: content.length,
        sha256: createHash('sha256').update(content).digest('hex'),
        read: () => Promise.resolve(content),
      };
    }
    const given: Record<string, unknown> = { ...(body as object), file: undefined };
    // An HTML form also sends a field that was left empty.
    if (given['title'] === '') delete given['title'];
    const {
      mime_type,
      title = titleFrom(file.name),
      ...fields
    } = await this.valid(given, UploadDocumentDto);
    return {
      ...fields,
      title,
      mimeType: await mediaTypeOf(file, mime_type),
      sizeBytes: file.sizeBytes,
      sha256: file.hash,
      read: () => readFile(file.path),
    };
  }

  private async valid<T>(value: unknown, metatype: new () => T): Promise<T> {
    return (await this.validation.transform(value, { type: 'body', metatype })) as T;
  }
}

/** A title from any file name: without NUL and lone surrogates, which cannot be stored. */
function titleFrom(name: string): string {
  const characters = Array.from(name.replaceAll('\0', '').toWellFormed().trim());
  return characters.slice(0, MAX_TITLE).join('').trim() || 'Untitled';
}

const fileOf = (body: unknown): UploadedFile | undefined =>
  typeof body === 'object' && body !== null && 'file' in body && body.file instanceof UploadedFile
    ? body.file
    : undefined;

/** For a route whose body is a document: JSON, or multipart with a file. */
export const AcceptsDocument = () =>
  applyDecorators(
    AcceptsMultipart(),
    UseInterceptors(UploadInterceptor),
    ApiExtraModels(CreateDocumentDto, UploadDocumentDto),
    ApiOperation({
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: { $ref: getSchemaPath(CreateDocumentDto) },
            example: DOCUMENT_EXAMPLE,
          },
          'multipart/form-data': { schema: { $ref: getSchemaPath(UploadDocumentDto) } },
        },
      },
    }),
  );

/** The uploaded document, sent as JSON or as a file with fields. */
export const DocumentBody = () => Body(DocumentUploadPipe);

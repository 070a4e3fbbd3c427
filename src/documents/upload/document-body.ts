import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import {
  applyDecorators,
  createParamDecorator,
  ExecutionContext,
  PipeTransform,
  UseInterceptors,
} from '@nestjs/common';
import { ApiExtraModels, ApiOperation, getSchemaPath } from '@nestjs/swagger';
import { ZIP } from '@latchkey/extraction/formats';
import type { FastifyRequest } from 'fastify';
import { AcceptsMultipart } from '../../platform/http/request-body.js';
import { BodyValidationPipe } from '../../platform/http/validation.pipe.js';
import { Problem } from '../../platform/problems/problem.js';
import {
  CreateDocumentDto,
  DOCUMENT_EXAMPLE,
  PutDocumentDto,
  PutUploadDto,
  ReplaceFileDto,
  ReplaceTextDto,
  UploadDocumentDto,
} from '../document-requests.dto.js';
import type { DocumentUpload } from '../document-upload.service.js';
import { parseCharset } from '../charset.js';
import { detectMediaType } from './media-type.js';
import { UploadInterceptor } from './upload.interceptor.js';
import { UploadedFile } from './uploaded-file.js';

const MAX_TITLE = 500;

const Body = createParamDecorator(
  (_: unknown, context: ExecutionContext) =>
    context.switchToHttp().getRequest<FastifyRequest>().body,
);

/** The two forms in which a document may come. */
interface BodyForms {
  readonly json: new () => Omit<CreateDocumentDto, 'external_id' | 'on_duplicate' | 'title'> & {
    title?: string;
  };
  readonly multipart: new () => Omit<
    UploadDocumentDto,
    'external_id' | 'on_duplicate' | 'title'
  > & {
    title?: string;
  };
  readonly example: object;
}

const FORMS = { json: CreateDocumentDto, multipart: UploadDocumentDto, example: DOCUMENT_EXAMPLE };

const { external_id: _id, on_duplicate: _onDuplicate, ...PUT_EXAMPLE } = DOCUMENT_EXAMPLE;
const { text, mime_type } = DOCUMENT_EXAMPLE;
const CONTENT_FORMS = {
  json: ReplaceTextDto,
  multipart: ReplaceFileDto,
  example: { text, mime_type },
};
const PUT_FORMS = { json: PutDocumentDto, multipart: PutUploadDto, example: PUT_EXAMPLE };

/** Turns either form of body, JSON or multipart, into a DocumentUpload. */
class DocumentUploadPipe implements PipeTransform<unknown, Promise<DocumentUpload>> {
  private readonly validation = new BodyValidationPipe();

  constructor(private readonly forms: BodyForms) {}

  async transform(body: unknown): Promise<DocumentUpload> {
    const file = findFile(body);
    if (!file) {
      const {
        text,
        mime_type = 'text/plain',
        title = '',
        ...fields
      } = await this.validate(body, this.forms.json);
      const content = Buffer.from(text);
      return {
        ...fields,
        title,
        mimeType: mime_type,
        sizeBytes: content.length,
        sha256: createHash('sha256').update(content).digest('hex'),
        read: () => Promise.resolve(content),
      };
    }
    const given: Record<string, unknown> = { ...(body as object), file: undefined };
    // HTML forms also send fields that were left empty.
    if (given['title'] === '') delete given['title'];
    const {
      mime_type,
      title = titleFrom(file.name),
      charset = parseCharset(file.partType),
      ...fields
    } = await this.validate(given, this.forms.multipart);
    const mimeType = await detectMediaType(file, mime_type);
    if (mimeType === ZIP && this.forms !== FORMS) {
      throw new Problem('unsupported_media_type', {
        detail: 'An archive contains several documents, but the path identifies one.',
      });
    }
    return {
      ...fields,
      ...(charset !== undefined && { charset }),
      title,
      mimeType,
      sizeBytes: file.sizeBytes,
      sha256: file.hash,
      path: file.path,
      read: () => readFile(file.path),
    };
  }

  private async validate<T>(value: unknown, metatype: new () => T): Promise<T> {
    return (await this.validation.transform(value, { type: 'body', metatype })) as T;
  }
}

/** Makes a title from a file name, without NUL and lone surrogates, which cannot be stored. */
export function titleFrom(name: string): string {
  const characters = Array.from(name.replaceAll('\0', '').toWellFormed().trim());
  return characters.slice(0, MAX_TITLE).join('').trim() || 'Untitled';
}

const findFile = (body: unknown): UploadedFile | undefined =>
  typeof body === 'object' && body !== null && 'file' in body && body.file instanceof UploadedFile
    ? body.file
    : undefined;

const acceptsForms = ({ json, multipart, example }: BodyForms) =>
  applyDecorators(
    AcceptsMultipart(),
    UseInterceptors(UploadInterceptor),
    ApiExtraModels(json, multipart),
    ApiOperation({
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: { $ref: getSchemaPath(json) }, example },
          'multipart/form-data': { schema: { $ref: getSchemaPath(multipart) } },
        },
      },
    }),
  );

/** Marks a route whose body is a document: JSON, or multipart with a file. */
export const AcceptsDocument = () => acceptsForms(FORMS);

/** The uploaded document, sent as JSON or as a file with fields. */
export const DocumentBody = () => Body(new DocumentUploadPipe(FORMS));

/** Like AcceptsDocument, for a route whose path contains the document's external id. */
export const AcceptsIdentifiedDocument = () => acceptsForms(PUT_FORMS);
export const IdentifiedDocumentBody = () => Body(new DocumentUploadPipe(PUT_FORMS));

/** Like AcceptsDocument, for a route that replaces the content alone. */
export const AcceptsContent = () => acceptsForms(CONTENT_FORMS);
/** Its title is that of the document, whatever the file is called. */
export const ContentBody = () => Body(new DocumentUploadPipe(CONTENT_FORMS));

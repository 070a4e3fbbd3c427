import { applyDecorators, StreamableFile } from '@nestjs/common';
import { ApiFoundResponse, ApiOkResponse } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Operation } from '../../platform/openapi/operation.js';
import type { Download } from './content-download.js';

/** Keeps scripts of an uploaded page from running if a browser shows it instead of saving it. */
const POLICY = `default-src 'none'; sandbox`;

/** Sends a file as an attachment, or a redirect to where it can be downloaded. */
export function sendContent(reply: FastifyReply, download: Download): StreamableFile | undefined {
  void reply.header('cache-control', 'private, no-store');
  if ('url' in download) {
    void reply.status(302).header('location', download.url);
    return undefined;
  }
  const { stream, mimeType: type, disposition, sizeBytes: length } = download;
  void reply.header('x-content-type-options', 'nosniff').header('content-security-policy', POLICY);
  return new StreamableFile(stream, { type, disposition, length });
}

/** Documents what `sendContent` answers. */
export const AnswersContent = () =>
  applyDecorators(
    ApiOkResponse({
      description: 'The original.',
      content: { '*/*': { schema: { type: 'string', format: 'binary' } } },
    }),
    ApiFoundResponse({ description: 'Where the object store has it, for 60 seconds.' }),
    Operation({ problems: ['content_not_found', 'content_store_unavailable'] }),
  );

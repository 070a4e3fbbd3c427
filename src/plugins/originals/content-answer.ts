import { applyDecorators, StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiResponse } from '@nestjs/swagger';
import { create as contentDisposition } from 'content-disposition';
import { HTML_STYLE_HASH } from '@latchkey/extraction/view/to-html';
import type { DocumentView } from '@latchkey/extraction/view/view-document';
import type { FastifyReply } from 'fastify';
import { Operation } from '../../platform/openapi/operation.js';
import type { Download } from './content-download.js';

/** Keeps scripts of an uploaded page from running where a browser shows it instead of saving it. */
const POLICY = `sandbox; default-src 'none'`;
/** Types that browsers show without running code; all others are downloaded. */
const HARMLESS = /^(?:application\/pdf|image\/(?:png|jpeg|webp)|text\/plain)$/;

/** Sends an original, or the requested range of it. */
export function sendContent(reply: FastifyReply, download: Download): StreamableFile {
  const { stream, mimeType: type, name, sizeBytes, etag, range } = download;
  void reply.headers({
    // A cached copy would outlive the reader's access.
    'cache-control': 'private, no-store',
    'content-security-policy': POLICY,
    'x-content-type-options': 'nosniff',
    'accept-ranges': 'bytes',
    etag,
  });
  const { first, last } = range ?? { first: 0, last: sizeBytes - 1 };
  if (range) {
    void reply.status(206).header('content-range', `bytes ${first}-${last}/${sizeBytes}`);
  }
  const disposition = contentDisposition(name, {
    type: HARMLESS.test(type) ? 'inline' : 'attachment',
  });
  // Without a charset, browsers assume a Windows encoding; a byte-order mark overrides it.
  const charset = type === 'text/plain' ? '; charset=utf-8' : '';
  return new StreamableFile(stream, {
    ...{ type: type + charset, disposition },
    length: last - first + 1,
  });
}

/** Sends the rendered view of a page. */
export function sendView(reply: FastifyReply, view: DocumentView): Buffer {
  void reply.headers({
    'cache-control': 'private, no-store',
    'content-security-policy': `${POLICY}; style-src '${HTML_STYLE_HASH}'`,
    'x-content-type-options': 'nosniff',
    'content-type': view.mimeType,
    page: view.page,
    'page-count': view.pageCount,
    ...(view.markedAt !== null && { 'marked-at': view.markedAt.toFixed(4) }),
  });
  return Buffer.from(view.content);
}

const CONTENT = { '*/*': { schema: { type: 'string', format: 'binary' } } };

/** Documents the responses of `sendContent`. */
export const AnswersContent = () =>
  applyDecorators(
    ApiOkResponse({ description: 'The original.', content: CONTENT }),
    ApiResponse({ status: 206, description: 'The part that `Range` asks for.', content: CONTENT }),
    Operation({
      problems: [
        'invalid_link',
        'ip_not_allowed',
        'content_not_found',
        'range_not_satisfiable',
        'content_store_unavailable',
        'page_unreadable',
        'rate_limited',
        'worker_unavailable',
      ],
    }),
  );

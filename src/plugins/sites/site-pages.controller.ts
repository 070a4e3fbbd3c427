import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { handleStaticFile } from '../../platform/http/static-file.js';
import { IdParam } from '../../platform/http/type-id.js';
import { PREVIEW_POLICY, toPreview } from './site-preview.js';
import { SitesService } from './sites.service.js';

const FOLDER = fileURLToPath(new URL('../../../widget/', import.meta.url));
const SCRIPT = 'text/javascript; charset=utf-8';
/** A page keeps the script for so long: visitors have a new one the next hour. */
const script = handleStaticFile(
  SCRIPT,
  () => readFile(`${FOLDER}widget.js`),
  'public, max-age=3600',
);
const pageScript = handleStaticFile(SCRIPT, () => readFile(`${FOLDER}page.js`));

/** The widget for pages of any origin, and a page of our own with nothing but the chat. */
@ApiExcludeController()
@Controller()
export class SitePagesController {
  constructor(private readonly sites: SitesService) {}

  @Get('widget.js')
  async showScript(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    // Pages may load it with `crossorigin` and a hash.
    const headers = {
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    };
    await script(request, reply.headers(headers));
  }

  @Get('s/page.js')
  async showPageScript(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await pageScript(request, reply);
  }

  /** Only the site's pages may frame it. */
  @Get('s/:site_id')
  async showPage(@IdParam('site') id: string, @Res() reply: FastifyReply): Promise<void> {
    const { name, origins } = await this.sites.find(id);
    const policy = `default-src 'none'; script-src 'self'; connect-src 'self'; img-src 'self'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self' ${origins.join(' ')}`;
    await sendPage(reply, policy, toPage(id, name));
  }

  /** The widget on a sample page, which the console frames. */
  @Get('s/:site_id/preview')
  async showPreview(@IdParam('site') id: string, @Res() reply: FastifyReply): Promise<void> {
    await this.sites.find(id);
    await sendPage(reply, PREVIEW_POLICY, toPreview(id));
  }
}

async function sendPage(reply: FastifyReply, policy: string, page: string): Promise<void> {
  void reply.removeHeader('x-frame-options');
  await reply
    .headers({ 'content-security-policy': policy, 'cache-control': 'no-cache' })
    .type('text/html; charset=utf-8')
    .send(page);
}

const toPage = (id: string, name: string) => `<!doctype html>
<html>
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${escapeHtml(name)}</title>
    <script src="page.js" data-site="${id}" defer></script>
  </head>
  <body>
    <noscript>${escapeHtml(name)}: this page needs JavaScript.</noscript>
  </body>
</html>
`;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};
const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);

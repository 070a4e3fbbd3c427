import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { handleStaticFile, listFiles } from '../../platform/http/static-file.js';
import { Problem } from '../../platform/problems/problem.js';

/** The folder dist/portal. */
const FOLDER = fileURLToPath(new URL('../../../portal/', import.meta.url));
const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};
/** The page runs no other script, and sends nothing elsewhere. */
const POLICY = `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

const page = handleStaticFile('text/html; charset=utf-8', () => readFile(`${FOLDER}index.html`));

/** The names of assets change with their content, so they can be cached forever. */
const assets = new Map(
  listFiles(FOLDER).flatMap((file) => {
    const type = TYPES[extname(file)];
    if (type === undefined) return [];
    const cacheControl = file.startsWith('assets/')
      ? 'public, max-age=31536000, immutable'
      : undefined;
    return [[file, handleStaticFile(type, () => readFile(FOLDER + file), cacheControl)] as const];
  }),
);

/** Serves the page, which is the same for everybody: what a link opens stands behind `#` in its address. */
@ApiExcludeController()
@Controller('portal')
export class PortalPageController {
  @Get()
  async showPage(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await page(request, reply.headers({ 'content-security-policy': POLICY }));
  }

  @Get('assets/:file')
  async showAsset(
    @Param('file') file: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const asset = assets.get(`assets/${file}`);
    if (!asset) throw new Problem('not_found');
    await asset(request, reply);
  }
}

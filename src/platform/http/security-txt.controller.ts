import { Controller, Get, Header } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Config } from '../config/config.js';
import { Operation } from '../openapi/operation.js';
import { Problem } from '../problems/problem.js';

const DAY_MS = 24 * 60 * 60 * 1000;

@ApiTags('Security')
@Controller('.well-known')
export class SecurityTxtController {
  constructor(private readonly config: Config) {}

  /**
   * Get the contact for vulnerability reports
   * @remarks As RFC 9116 defines it; 404 where the operator has set none.
   */
  @Get('security.txt')
  @Operation({ problems: ['not_found'] })
  @Header('content-type', 'text/plain; charset=utf-8')
  @ApiOkResponse({ content: { 'text/plain': { schema: { type: 'string' } } } })
  getSecurityTxt(): string {
    const { SECURITY_CONTACT } = this.config;
    if (SECURITY_CONTACT === undefined) throw new Problem('not_found');
    const expires = new Date(Date.now() + 30 * DAY_MS).toISOString();
    return `Contact: ${SECURITY_CONTACT}\nExpires: ${expires}\nPreferred-Languages: en\n`;
  }
}

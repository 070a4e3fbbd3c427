import { CanActivate, createParamDecorator, ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { refuseForeignPage } from '../../knowledge-bases/dashboard-auth/foreign-page.js';
import { PortalLinksService } from './portal-links.service.js';

const COOKIE = 'latchkey_portal';
const COOKIE_VALUE = /(?:^|;\s*)latchkey_portal=([\w-]{43})(?:;|$)/;

/** A link that was opened in this browser. */
export interface OpenedPortal {
  readonly link: Awaited<ReturnType<PortalLinksService['findOpened']>>;
  readonly requestId: string;
}

type PortalRequest = FastifyRequest & { portal?: OpenedPortal };

/**
 * The cookie of a session. Pages of other sites cannot use it, nor scripts read it.
 *
 * @param base the address of the service
 */
export function toCookie(session: string, base: string, seconds: number): string {
  const { protocol, pathname } = new URL(base);
  const path = `${pathname.replace(/\/$/, '')}/portal`;
  const secure = protocol === 'https:' ? '; Secure' : '';
  return `${COOKIE}=${session}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`;
}

/** Authenticates the browser that has opened a link. */
@Injectable()
export class PortalSessionGuard implements CanActivate {
  constructor(private readonly links: PortalLinksService) {}

  /** @throws Problem `portal_session_required`, `origin_not_allowed`, or a 401 for a key that has ended */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<PortalRequest>();
    refuseForeignPage(request, []);
    const [, session] = COOKIE_VALUE.exec(request.headers.cookie ?? '') ?? [];
    request.portal = { link: await this.links.findOpened(session), requestId: request.id };
    return true;
  }
}

export const CurrentPortal = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const { portal } = context.switchToHttp().getRequest<PortalRequest>();
  if (!portal) throw new Error('CurrentPortal needs PortalSessionGuard');
  return portal;
});

import { CanActivate, createParamDecorator, ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { MemoryLimit } from '../../api-keys/memory-limit.js';
import { refuseForeignPage } from '../../knowledge-bases/dashboard-auth/foreign-page.js';
import type { Config } from '../../platform/config/config.js';
import { Problem } from '../../platform/problems/problem.js';
import { PortalLinksService, SESSION_SECONDS } from './portal-links.service.js';

const COOKIE = 'latchkey_portal';
/** Has the id of the link whose key the page shows. Pages of other origins cannot send it. */
const LINK_HEADER = 'x-portal-link';
const REQUESTS_PER_MINUTE = 60;
const COOKIE_VALUE = /(?:^|;\s*)latchkey_portal=([\w-]{43})(?:;|$)/;

/** A link that was opened in this browser. */
export interface OpenedPortal {
  readonly link: Awaited<ReturnType<PortalLinksService['findOpened']>>;
  readonly requestId: string;
}

type PortalRequest = FastifyRequest & { portal?: OpenedPortal };

/** The cookie of a session. Pages of other sites cannot use it, nor scripts read it. */
export function toCookie(
  session: string,
  { PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>,
  { protocol }: Pick<FastifyRequest, 'protocol'>,
): string {
  const base = PUBLIC_URL === undefined ? undefined : new URL(PUBLIC_URL);
  const path = `${base?.pathname.replace(/\/$/, '') ?? ''}/portal`;
  const secure = (base?.protocol ?? `${protocol}:`) === 'https:' ? '; Secure' : '';
  return `${COOKIE}=${session}; Path=${path}; Max-Age=${SESSION_SECONDS}; HttpOnly; SameSite=Strict${secure}`;
}

/** Authenticates the browser that has opened a link. */
@Injectable()
export class PortalSessionGuard implements CanActivate {
  readonly admitsReplaced: boolean = false;

  /** Keeps one holder from keeping this process busy. */
  private readonly requests = new MemoryLimit(REQUESTS_PER_MINUTE);

  constructor(private readonly links: PortalLinksService) {}

  /** @throws Problem `portal_session_required`, `origin_not_allowed`, `rate_limited`, or a 401 for a key that has ended */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<PortalRequest>();
    refuseForeignPage(request, []);
    const [, session] = COOKIE_VALUE.exec(request.headers.cookie ?? '') ?? [];
    const link = await this.links.findOpened(session, {
      admitsReplaced: this.admitsReplaced,
    });
    // The page says which key it shows: another link may have been opened in another tab meanwhile.
    const shown = request.headers[LINK_HEADER];
    if (shown === undefined ? request.method !== 'GET' : shown !== link.id) {
      throw new Problem('portal_session_required', {
        detail: 'Another link was opened in this browser meanwhile.',
      });
    }
    await this.requests.consume(link.id);
    request.portal = { link, requestId: request.id };
    return true;
  }
}

/** A PortalSessionGuard for rotations: one whose answer was lost is repeated, even if the old key has stopped. */
@Injectable()
export class PortalRotationGuard extends PortalSessionGuard {
  override readonly admitsReplaced = true;
}

export const CurrentPortal = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const { portal } = context.switchToHttp().getRequest<PortalRequest>();
  if (!portal) throw new Error('CurrentPortal needs PortalSessionGuard');
  return portal;
});

import { Problem } from '../../platform/problems/problem.js';

/** @param challenge the scheme for WWW-Authenticate, with its parameters */
export const unauthenticated = (challenge: string, detail?: string) =>
  new Problem('dashboard_authentication_required', {
    ...(detail !== undefined && { detail }),
    headers: { 'www-authenticate': challenge },
  });

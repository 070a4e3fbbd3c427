import type { OpenAPIObject } from '@nestjs/swagger';
import type { DashboardAuthConfig } from '../config/dashboard-auth-config.js';
import { DASHBOARD_SECURITY } from '../openapi/operation.js';
import { listOperations } from '../openapi/list-operations.js';

/** The security scheme of the identity provider, beside that of the dashboard user. */
const PROVIDER_SECURITY = 'identity-provider';

/** Swagger UI as a client of the identity provider, the same one as the console. */
export interface SwaggerUiClient {
  readonly issuer: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly resource: string | undefined;
}

/** @returns undefined if sign-in is not available here */
export function swaggerUiClient(auth: DashboardAuthConfig): SwaggerUiClient | undefined {
  if (auth.mode !== 'oidc' || auth.console === undefined) return undefined;
  const { client_id: clientId, scope, resource } = auth.console;
  // Swagger UI does not renew tokens.
  const scopes = scope.split(' ').filter((one) => one !== 'offline_access');
  return { issuer: auth.issuer, clientId, scopes, resource };
}

const discoveryUrl = (issuer: string) =>
  `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;

/** Documents that the identity provider authenticates dashboard users. */
export function describeSignIn(document: OpenAPIObject, { issuer }: SwaggerUiClient): void {
  (document.components ??= {}).securitySchemes = {
    ...document.components.securitySchemes,
    [PROVIDER_SECURITY]: {
      type: 'openIdConnect',
      openIdConnectUrl: discoveryUrl(issuer),
      description:
        'Sign in at the identity provider. Its token goes with `X-Idp-User-Id`, which is its `sub`; this page fills that in.',
    },
  };
  for (const { operation } of listOperations(document)) {
    operation.security = operation.security?.map((required) =>
      DASHBOARD_SECURITY in required ? { ...required, [PROVIDER_SECURITY]: [] } : required,
    );
  }
}

const CHANNEL = 'latchkey-docs';

/** The page to which the provider redirects the window. */
export const SIGNED_IN_PAGE = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Signed in</title></head>
<body><p>You may close this window.</p><script src="/docs/signed-in.js"></script></body>
</html>
`;

/**
 * Runs on that page. It uses a channel, since the page that opened the window is out of reach after the
 * provider's.
 */
export const SIGNED_IN = `
new BroadcastChannel('${CHANNEL}').postMessage(location.search);
close();
`;

/** Runs in the browser before Swagger UI starts. */
export const signInScript = ({ issuer, clientId, scopes, resource }: SwaggerUiClient) => `
{
  // May be left from a time when sign-in was not available.
  localStorage.removeItem('authorized');
  const isJwt = (token) => /^(?!rag_)[^.]+\\.[^.]+\\.[^.]+$/.test(token ?? '');
  const claimsOf = (token) =>
    JSON.parse(atob(token.split('.')[1].replaceAll('-', '+').replaceAll('_', '/')));
  const SignIn = () => ({
    statePlugins: {
      auth: {
        wrapActions: {
          // Some providers issue access tokens that only they can read; the service accepts JWTs.
          authorizeOauth2: (authorize) => ({ auth, token }) => {
            const access_token = isJwt(token.access_token) ? token.access_token : token.id_token;
            return authorize({ auth, token: { ...token, access_token } });
          },
        },
      },
    },
  });
  new BroadcastChannel('${CHANNEL}').onmessage = ({ data }) => {
    const waiting = window.swaggerUIRedirectOauth2;
    const answer = new URLSearchParams(data);
    if (waiting === undefined || answer.get('state') !== waiting.state) return;
    delete window.swaggerUIRedirectOauth2;
    const { auth, redirectUrl, callback, errCb } = waiting;
    if (answer.has('code')) {
      auth.code = answer.get('code');
      callback({ auth, redirectUrl });
    } else {
      const message = answer.get('error_description') ?? answer.get('error');
      errCb({ authId: auth.name, source: 'auth', level: 'error', message });
    }
  };
  window.latchkeySignIn = {
    plugins: [SignIn],
    options: {
      // A token must not be left in the browser's storage.
      persistAuthorization: false,
      oauth2RedirectUrl: location.origin + '/docs/signed-in',
      requestInterceptor: (request) => {
        const [, token] = /^Bearer (.+)$/.exec(request.headers.Authorization ?? '') ?? [];
        if (isJwt(token)) request.headers['X-Idp-User-Id'] ??= claimsOf(token).sub;
        return request;
      },
      // Of the provider's flows, a page without a secret can use only this one.
      responseInterceptor: (response) => {
        if (response.url !== ${JSON.stringify(discoveryUrl(issuer))} || !response.ok) return response;
        const offered = JSON.parse(response.text);
        return {
          ...response,
          text: JSON.stringify({
            ...offered,
            grant_types_supported: ['authorization_code'],
            scopes_supported: ${JSON.stringify(scopes)},
          }),
        };
      },
    },
    start: (ui) =>
      ui.initOAuth({
        clientId: ${JSON.stringify(clientId)},
        scopes: ${JSON.stringify(scopes)},
        usePkceWithAuthorizationCodeGrant: true,
        additionalQueryStringParams: ${JSON.stringify({ resource })},
      }),
  };
}
`;

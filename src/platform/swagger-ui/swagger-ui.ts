import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { FastifyInstance } from 'fastify';
import { serveStaticFile } from '../http/static-file.js';
import { SWAGGER_UI_SCRIPT } from './swagger-ui-script.js';
import {
  SIGNED_IN,
  SIGNED_IN_PAGE,
  signInScript,
  type SwaggerUiClient,
} from './swagger-ui-sign-in.js';
import { SWAGGER_UI_ICON, SWAGGER_UI_STYLE } from './swagger-ui-style.js';

const HTML = 'text/html; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';
const STYLE = 'text/css; charset=utf-8';

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Latchkey API</title>
<link rel="icon" href="${SWAGGER_UI_ICON}">
<link rel="preload" href="/openapi.json" as="fetch" crossorigin>
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="stylesheet" href="/docs/latchkey.css">
</head>
<body>
<header>
<strong>Latchkey</strong>
<nav aria-label="The contract"><a href="/openapi.json">openapi.json</a> <a href="/openapi.yaml">openapi.yaml</a></nav>
</header>
<div id="swagger-ui"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/sign-in.js"></script>
<script src="/docs/latchkey.js"></script>
</body>
</html>
`;

/** Replaces the sign-in script where sign-in is not available. */
const NO_SIGN_IN = 'window.latchkeySignIn = { plugins: [], options: {}, start: () => undefined };';

/** Serves Swagger UI for /openapi.json at /docs. */
export function serveSwaggerUi(
  fastify: FastifyInstance,
  client: SwaggerUiClient | undefined,
): void {
  const { resolve } = createRequire(import.meta.url);
  const packaged = (name: string) => () => readFile(resolve(`swagger-ui-dist/${name}`));
  void fastify.register((pages, _, done) => {
    if (client) allowConnections(pages, new URL(client.issuer).origin);
    serveStaticFile(pages, ['/docs', '/docs/'], HTML, () => PAGE);
    done();
  });
  serveStaticFile(fastify, ['/docs/latchkey.css'], STYLE, () => SWAGGER_UI_STYLE);
  serveStaticFile(fastify, ['/docs/latchkey.js'], SCRIPT, () => SWAGGER_UI_SCRIPT);
  const signIn = client ? signInScript(client) : NO_SIGN_IN;
  serveStaticFile(fastify, ['/docs/sign-in.js'], SCRIPT, () => signIn);
  if (client) {
    serveStaticFile(fastify, ['/docs/signed-in'], HTML, () => SIGNED_IN_PAGE);
    serveStaticFile(fastify, ['/docs/signed-in.js'], SCRIPT, () => SIGNED_IN);
  }
  for (const [name, type] of [
    ['swagger-ui.css', STYLE],
    ['swagger-ui-bundle.js', SCRIPT],
  ] as const) {
    serveStaticFile(fastify, [`/docs/${name}`], type, packaged(name));
  }
}

/** Lets the pages connect to another origin. */
function allowConnections(pages: FastifyInstance, origin: string): void {
  pages.addHook('onSend', (_request, reply, _payload, next) => {
    const policy = String(reply.getHeader('content-security-policy'));
    void reply.header('content-security-policy', `${policy};connect-src 'self' ${origin}`);
    next();
  });
}

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { FastifyInstance } from 'fastify';
import { serveStaticFile } from '../http/static-file.js';
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

/**
 * Runs in the browser. What an operation refuses shows the codes, its own and those that it shares, and an
 * example with its headers on request: they are the same everywhere.
 */
const START = `
const FoldErrors = ({ React, getComponent }) => ({
  wrapComponents: {
    response: (Response) => (props) => {
      const { createElement: h, useState } = React;
      const [isOpen, setOpen] = useState(false);
      if (isOpen || !/^([45]|default)/.test(props.code)) return h(Response, props);
      const Markdown = getComponent('Markdown', true);
      const contract = props.specSelectors.specJson();
      const place = ['paths', props.path, props.method, 'responses', props.code, '$ref'];
      const shared = contract.getIn(contract.getIn(place, '').split('/').slice(1));
      const refusals = new Set([props.response, shared].map((one) => one?.get('description')));
      return h('tr', { className: 'response folded', 'data-code': props.code },
        h('td', { className: 'response-col_status' }, props.code),
        h('td', { className: 'response-col_description', colSpan: 2 },
          h(Markdown, { source: [...refusals].join('\\n\\n') }),
          h('button', { type: 'button', onClick: () => setOpen(true) }, 'Example')));
    },
  },
});
// In a form, fields without an example stay empty and are not sent unless "Send empty value" is ticked:
// the values that Swagger UI would generate, such as "string", would be stored.
const LeaveFormsEmpty = ({ React }) => ({
  wrapComponents: {
    RequestBody: (RequestBody) => (props) => {
      const isGiven = (schema) => ['example', 'examples', 'default'].some((key) => schema.has(key));
      // It asks without a media type for the fields of forms only.
      const getSampleSchema = (schema, type, ...rest) =>
        type === false && !isGiven(schema) ? '' : props.fn.getSampleSchema(schema, type, ...rest);
      return React.createElement(RequestBody, { ...props, fn: { ...props.fn, getSampleSchema } });
    },
    ParameterIncludeEmpty: (IncludeEmpty) => (props) => {
      const isIncludedOptions = { ...props.isIncludedOptions, defaultValue: false };
      return React.createElement(IncludeEmpty, { ...props, isIncludedOptions });
    },
  },
});
const prefersDark = matchMedia('(prefers-color-scheme: dark)');
const setColors = () => document.documentElement.classList.toggle('dark-mode', prefersDark.matches);
prefersDark.addEventListener('change', setColors);
setColors();
const ui = SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  presets: [SwaggerUIBundle.presets.apis],
  plugins: [SwaggerUIBundle.plugins.DownloadUrl, FoldErrors, LeaveFormsEmpty, ...latchkeySignIn.plugins],
  layout: 'BaseLayout',
  persistAuthorization: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  // The answers show what the schemas say; the list of all schemas is closed.
  defaultModelsExpandDepth: 0,
  ...latchkeySignIn.options,
});
latchkeySignIn.start(ui);
`;

/** In place of the script that signs in, where nobody can. */
const NO_SIGN_IN = 'window.latchkeySignIn = { plugins: [], options: {}, start: () => undefined };';

/** Serves Swagger UI at /docs; what it shows is /openapi.json. */
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
  serveStaticFile(fastify, ['/docs/latchkey.js'], SCRIPT, () => START);
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

/** Lets the pages reach an origin beside their own. */
function allowConnections(pages: FastifyInstance, origin: string): void {
  pages.addHook('onSend', (_request, reply, _payload, next) => {
    const policy = String(reply.getHeader('content-security-policy'));
    void reply.header('content-security-policy', `${policy};connect-src 'self' ${origin}`);
    next();
  });
}

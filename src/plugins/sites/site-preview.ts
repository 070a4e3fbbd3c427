import { createHash } from 'node:crypto';

const STYLE = `body{max-width:44rem;margin:0 auto;padding:2rem 1.5rem;font:1rem/1.6 system-ui,sans-serif;color:CanvasText;background:Canvas}
nav{display:flex;flex-wrap:wrap;gap:1.25rem;padding-block-end:1rem;border-block-end:1px solid GrayText}
h1{line-height:1.25}`;

const styleHash = createHash('sha256').update(STYLE).digest('base64');

/** Only pages of the service frame it, such as the console. */
export const PREVIEW_POLICY = `default-src 'none'; script-src 'self'; connect-src 'self'; img-src 'self'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'`;

/** A page as a site may have it, with the widget, for whoever sets the site up. */
export const toPreview = (id: string) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="robots" content="noindex" />
    <title>Sample page</title>
    <style>${STYLE}</style>
    <script src="../../widget.js" data-site="${id}" async></script>
  </head>
  <body>
    <nav><strong>Example shop</strong> <span>Products</span> <span>Orders</span> <span>Help</span></nav>
    <main>
      <h1>Orders and returns</h1>
      <p>This is a sample page. The chat on it is the one that visitors of your pages will see.</p>
      <p>
        Your own page stays as it is: the chat brings its styles with it, and takes nothing of the
        page but its language and direction.
      </p>
    </main>
  </body>
</html>
`;

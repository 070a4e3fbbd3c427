import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, it } from '@jest/globals';
import { hasChromium } from '../../../test/support/browser.js';
import { tool } from '../../../test/support/requirement.js';
import {
  ANSWER,
  eachVisitor,
  QUESTION,
  type Site,
  toHtml,
  type Visiting,
  type Visitor,
} from '../../../test/support/widget.js';

/** As the service names it in its documentation: docs/sites.md. */
const toPolicy = (scripts: string, service: string) =>
  `default-src 'none'; script-src ${scripts}; connect-src ${service}; worker-src 'none'; require-trusted-types-for 'script'; base-uri 'none'`;
const TWO_FRAMES =
  'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))';
const MAX_BYTES = 40_000;

tool('Chromium', hasChromium).describe('the widget on pages of other origins', () => {
  let visiting: Visiting;
  let visitor: Visitor;

  eachVisitor((...opened) => {
    [visiting, visitor] = opened;
  });

  /** Shows a page with the site to the visitor. */
  const show = async (site: Site, options: Parameters<typeof toHtml>[1] = {}) =>
    visitor.page.goto(visiting.pages.put('/', { body: toHtml(visiting.snippet(site), options) }));

  it('answers on a page from one line of HTML, a minute after its site was made', async () => {
    await show(await visiting.createSite());
    await visitor.open();
    expect(await visitor.ask()).toContain(ANSWER);
  }, 90_000);

  it('weighs little', async () => {
    const script = await fetch(`${visiting.service.url}/widget.js`);
    expect(gzipSync(await script.text()).length).toBeLessThan(MAX_BYTES);
    expect(script.headers.get('content-encoding')).toMatch(/br|gzip/);
  });

  it.each<[string, (script: string) => [attributes: string, scripts: string]]>([
    ['a nonce', () => ['async nonce="r4nd0m"', `'nonce-r4nd0m'`]],
    [
      'a hash',
      (script) => {
        const hash = `sha384-${createHash('sha384').update(script).digest('base64')}`;
        return [`async crossorigin integrity="${hash}"`, `'${hash}'`];
      },
    ],
  ])('keeps to a strict policy with %s, and without workers', async (_, allow) => {
    const { url } = visiting.service;
    const site = await visiting.createSite({ theme: { accent: '#0b6e4f' } });
    const [attributes, scripts] = allow(await (await fetch(`${url}/widget.js`)).text());
    const body = toHtml(visiting.snippet(site, attributes));
    const headers = { 'content-security-policy': toPolicy(scripts, url) };
    const { page } = visitor;
    await page.addInitScript(`
      delete window.Worker; delete window.SharedWorker; window.violations = [];
      addEventListener('securitypolicyviolation', (event) => violations.push(event.violatedDirective));
    `);
    await page.goto(visiting.pages.put('/', { body, headers }));
    await visitor.open();
    expect(await visitor.ask()).toContain(ANSWER);
    await page.getByRole('button', { name: 'Helpful', exact: true }).click();
    await page.getByText('Thank you!').waitFor();
    expect(await page.evaluate('violations')).toEqual([]);
  });

  it('is mounted and unmounted by React', async () => {
    const { page } = visitor;
    const site = await visiting.createSite();
    const { outputFiles } = await build({
      stdin: {
        contents: reactPage(site.id, visiting.service.url),
        resolveDir: process.cwd(),
        loader: 'jsx',
      },
      ...{ bundle: true, write: false, format: 'iife', jsx: 'automatic' },
      define: { 'process.env.NODE_ENV': '"development"' },
      alias: { '@latchkey/widget': './packages/widget/src/index.ts' },
    });
    visiting.pages.put('/app.js', {
      ...{ body: outputFiles[0]?.text ?? '', type: 'text/javascript; charset=utf-8' },
    });
    const body = toHtml('<div id="app"></div><script src="/app.js"></script>');
    await page.goto(visiting.pages.put('/', { body }));
    await visitor.open();
    expect(await visitor.ask()).toContain(ANSWER);
    await page.getByText('1 answered').waitFor();
    await visitor.panel.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Toggle' }).click();
    await visitor.launcher.waitFor({ state: 'detached' });
    // Nothing of it listens any more.
    await page.evaluate(`location.hash = 'ask=Why?'`);
    expect(page.url()).toContain('#ask=');
    await page.evaluate(`history.replaceState(null, '', '/')`);
    await page.getByRole('button', { name: 'Toggle' }).click();
    await visitor.open();
    expect(await visitor.answers.count()).toBe(1);
  });

  it('makes an article of 2 MB no slower', async () => {
    const site = await visiting.createSite();
    const article = `<article>${'<p>A long story, told <b>slowly</b>.</p>'.repeat(50_000)}</article>`;
    visiting.pages.put('/bare', { body: toHtml(article) });
    visiting.pages.put('/with', { body: toHtml(visiting.snippet(site) + article) });
    const { page } = visitor;
    const measure = async (path: string) => {
      const session = await visitor.context.newCDPSession(page);
      // The time of the processor, which does not depend on what else the machine does.
      await session.send('Performance.enable', { timeDomain: 'threadTicks' });
      // Looking for the button would itself go through the whole article.
      const shown = path === '/with' ? page.waitForResponse('**/view') : undefined;
      await page.goto(visiting.pages.origin + path);
      await shown;
      await page.evaluate(TWO_FRAMES);
      const { metrics } = await session.send('Performance.getMetrics');
      await session.detach();
      return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0;
    };
    const times = { '/bare': [] as number[], '/with': [] as number[] };
    for (let round = 0; round < 3; round++) {
      for (const path of ['/bare', '/with'] as const) {
        await page.goto('about:blank');
        times[path].push(await measure(path));
      }
    }
    expect(await page.locator('latchkey-chat .launcher').isVisible()).toBe(true);
    expect(Math.min(...times['/with'])).toBeLessThan(1.5 * Math.min(...times['/bare']));
  });

  it('looks the same where the page styles everything', async () => {
    const site = await visiting.createSite({ suggestions: [QUESTION] });
    await show(site);
    const looks = async () => {
      const button = await visitor.launcher.boundingBox();
      await visitor.open();
      const chip = await visitor.page.getByRole('button', { name: QUESTION }).boundingBox();
      return [button, await visitor.panel.boundingBox(), chip];
    };
    const plain = await looks();
    const head = `<style>
      html { font: 40px/3 serif; letter-spacing: 9px; color: red; text-transform: uppercase; word-break: break-all }
      html * { all: unset !important; display: none !important; visibility: hidden !important; opacity: 0 !important; float: left !important }
      button, textarea, dialog, section { background: lime !important; inline-size: 5px !important }
    </style>`;
    await show(site, { head });
    expect(await looks()).toEqual(plain);
    expect(await visitor.ask()).toContain(ANSWER);
  });

  it('has the colours that the page gives it, and is hidden where the page hides it', async () => {
    const site = await visiting.createSite({ theme: { accent: '#0b6e4f' } });
    const { page } = visitor;
    const colour = async () => {
      await visitor.launcher.waitFor();
      return page.evaluate(
        `getComputedStyle(document.querySelector('latchkey-chat').shadowRoot.querySelector('button')).backgroundColor`,
      );
    };
    await show(site);
    expect(await colour()).toBe('rgb(11, 110, 79)');
    await show(site, { head: '<style>latchkey-chat { --latchkey-accent: #123456 }</style>' });
    expect(await colour()).toBe('rgb(18, 52, 86)');
    await page.evaluate(`document.querySelector('latchkey-chat').hidden = true`);
    await visitor.launcher.waitFor({ state: 'hidden' });
  });

  it('stays on a page that replaces its body', async () => {
    await show(await visiting.createSite());
    await visitor.launcher.waitFor();
    await visitor.page.evaluate(`document.body = document.createElement('body')`);
    await visitor.open();
    expect(await visitor.ask()).toContain(ANSWER);
  });

  it('is there once where its script is loaded twice', async () => {
    const site = await visiting.createSite();
    const snippets = visiting.snippet(site) + visiting.snippet(site, '');
    const head = visiting.snippet(site, '');
    await visitor.page.goto(visiting.pages.put('/', { body: toHtml(snippets, { head }) }));
    await visitor.open();
    expect(await visitor.page.locator('latchkey-chat').count()).toBe(1);
  });

  it('leaves room for the widget of another site', async () => {
    const sites = [
      await visiting.createSite({ name: 'Shop' }),
      await visiting.createSite({ name: 'Developers' }),
    ];
    const body = toHtml(sites.map((site) => visiting.snippet(site)).join(''));
    await visitor.page.goto(visiting.pages.put('/', { body }));
    const launchers = ['Shop', 'Developers'].map((name) =>
      visitor.page.getByRole('region', { name }).getByRole('button', { name: 'Ask a question' }),
    );
    const boxes = [];
    for (const launcher of launchers) {
      await launcher.waitFor();
      boxes.push(await launcher.boundingBox());
    }
    const [one, other] = boxes.map((box) => box ?? { y: 0, height: 0 }).sort((a, b) => a.y - b.y);
    expect((one?.y ?? 0) + (one?.height ?? 0)).toBeLessThan(other?.y ?? 0);
    await launchers[0]?.click();
    expect(await visitor.ask()).toContain(ANSWER);
    await visitor.panel.getByRole('button', { name: 'Close' }).click();
    await launchers[1]?.click();
    await visitor.panel.getByRole('heading', { name: 'Developers' }).waitFor();
    expect(await visitor.panel.getByText(ANSWER).count()).toBe(0);
  });

  it('is alone in a frame, on the pages of its site only', async () => {
    const site = await visiting.createSite();
    const frame = `<iframe src="${visiting.service.url}/s/${site.id}" title="Chat" width="500" height="700"></iframe>`;
    const address = visiting.pages.put('/', { body: toHtml(frame) });
    const { page } = visitor;
    await page.goto(address);
    const framed = page.frameLocator('iframe');
    await framed.getByRole('textbox').fill(QUESTION);
    await framed.getByRole('textbox').press('Enter');
    await framed.getByText(ANSWER).first().waitFor();
    await visitor.expectNoFaults('frame');
    const refused = page.waitForEvent('console', (message) =>
      /frame-ancestors/.test(message.text()),
    );
    await page.goto(address.replace(visiting.pages.origin, visiting.pages.otherOrigin));
    await refused;
    expect(await page.frameLocator('iframe').getByRole('textbox').count()).toBe(0);
    await page.goto(`${visiting.service.url}/s/${site.id}`);
    await page.getByRole('textbox').waitFor();
    await visitor.expectNoFaults('the page alone');
  });

  it('says on a page that copied it that it does not belong there', async () => {
    const site = await visiting.createSite();
    await show(site);
    await visitor.page.goto(visiting.pages.otherOrigin);
    await visitor.open();
    expect(await visitor.askInVain()).toBe('This chat does not belong to this page.');
    expect(await visitor.page.getByText('We sell chairs.').isVisible()).toBe(true);
  });

  it.each(['**/widget.js', '**/api/v1/**'])(
    'leaves a page in peace whose visitor blocks %s',
    async (pattern) => {
      const { page } = visitor;
      await page.route(pattern, (route) => route.abort('blockedbyclient'));
      const failed = page.waitForEvent('requestfailed');
      await show(await visiting.createSite());
      await failed;
      expect(await page.getByText('We sell chairs.').isVisible()).toBe(true);
      expect(await visitor.launcher.count()).toBe(0);
    },
  );

  it('says so when a question is blocked, and keeps it', async () => {
    await show(await visiting.createSite());
    await visitor.open();
    await visitor.page.route('**/challenge', (route) => route.abort('blockedbyclient'));
    expect(await visitor.askInVain()).toBe('That did not work. Please try again.');
    expect(await visitor.field.inputValue()).toBe(QUESTION);
    await visitor.page.unroute('**/challenge');
    expect(await visitor.ask()).toContain(ANSWER);
  });
});

/** A page of an application, which counts the answers that its visitor gets. */
const reactPage = (site: string, service: string) => `
  import { StrictMode, useState } from 'react';
  import { createRoot } from 'react-dom/client';
  import { defineLatchkeyChat } from '@latchkey/widget';
  defineLatchkeyChat();
  function App() {
    const [isShown, show] = useState(true);
    const [answered, count] = useState(0);
    return <>
      <button onClick={() => show(!isShown)}>Toggle</button>
      <p>{answered} answered</p>
      {isShown && <latchkey-chat site="${site}" service="${service}" onlatchkey-answer={() => count(answered + 1)} />}
    </>;
  }
  createRoot(document.getElementById('app')).render(<StrictMode><App /></StrictMode>);
`;

import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { complaintsOf, hasChromium, openBrowser } from '../support/browser.js';
import { freePort } from '../support/postgres.mjs';
import { tool } from '../support/requirement.js';
import { Service } from '../support/service.js';
import { SignInProvider } from '../support/sign-in-provider.js';
import { SwaggerUi } from '../support/swagger-ui.js';

const chromium = tool('Chromium', hasChromium);

chromium.describe('Swagger UI where an identity provider signs in', () => {
  let provider: SignInProvider;
  let service: Service;
  let browser: Browser;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    const port = String(await freePort());
    [provider, browser] = await Promise.all([
      SignInProvider.start(`http://127.0.0.1:${port}`),
      openBrowser(),
    ]);
    service = await Service.start({ ...provider.environment, PORT: port });
    page = await browser.newPage();
    page.setDefaultTimeout(60_000);
    complaints = complaintsOf(page);
    const stored = {
      'dashboard-user': {
        schema: { type: 'apiKey', in: 'header', name: 'X-Idp-User-Id' },
        value: 'bob',
      },
    };
    await page.addInitScript(
      `localStorage.authorized ??= ${JSON.stringify(JSON.stringify(stored))};`,
    );
    await page.goto(`http://127.0.0.1:${port}/docs`);
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
    await provider.stop();
  });

  /** Presses the button of the only flow that is offered. */
  async function askProvider(): Promise<Page> {
    await page.getByRole('button', { name: 'Authorize', exact: true }).first().click();
    const form = page.locator('.auth-container').filter({ hasText: 'identity-provider' });
    expect(await form.count()).toBe(1);
    const [window] = await Promise.all([
      page.waitForEvent('popup'),
      form.getByRole('button', { name: 'Apply' }).click(),
    ]);
    return window;
  }

  it('names the provider in the contract', async () => {
    const contract = await page.evaluate<{
      components: { securitySchemes: Record<string, object> };
      paths: Record<string, { get: { security: object[] } }>;
    }>(`fetch('/openapi.json').then((answer) => answer.json())`);
    expect(contract.components.securitySchemes['identity-provider']).toMatchObject({
      type: 'openIdConnect',
      openIdConnectUrl: `${provider.issuer}/.well-known/openid-configuration`,
    });
    expect(contract.paths['/api/v1/kbs']?.get.security).toContainEqual({
      'dashboard-user': [],
      'identity-provider': [],
    });
  });

  it('says what the provider has refused', async () => {
    const window = await askProvider();
    await Promise.all([window.waitForEvent('close'), window.locator('a[href$="/abort"]').click()]);
    await page.locator('.dialog-ux').getByText('End-User aborted interaction').waitFor();
    await page.getByRole('button', { name: 'Close' }).first().click();
  });

  it('signs in with a proof of possession, and leaves no token behind', async () => {
    const asked: URLSearchParams[] = [];
    page.on('request', (request) => {
      if (request.url().startsWith(`${provider.issuer}/token`)) {
        asked.push(new URLSearchParams(request.postData() ?? ''));
      }
    });
    const window = await askProvider();
    expect(new URL(window.url()).origin).toBe(provider.issuer);
    await window.locator('input[name=login]').fill('alice');
    await window.locator('input[name=password]').fill('any');
    await window.getByRole('button', { name: 'Sign-in' }).click();
    await Promise.all([
      window.waitForEvent('close'),
      window.getByRole('button', { name: 'Continue' }).click(),
    ]);
    await page
      .locator('.dialog-ux')
      .getByRole('button', { name: 'Remove authorization' })
      .waitFor();
    await page.getByRole('button', { name: 'Close' }).first().click();
    const ui = new SwaggerUi(page);
    const { status, text } = await ui.execute('createKnowledgeBase');
    expect([status, text]).toEqual([201, expect.stringContaining('"role": "owner"')]);
    expect((await ui.execute('listKnowledgeBases')).status).toBe(200);
    expect(asked).toHaveLength(1);
    expect(asked[0]?.get('code_verifier')).toMatch(/^.{43,}$/);
    const kept = await page.evaluate<string>(
      'JSON.stringify([{ ...localStorage }, location.href])',
    );
    expect(kept).not.toMatch(/eyJ|code=/);
    expect(complaints).toEqual([]);
  });
});

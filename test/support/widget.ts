import axe, { type AxeResults } from 'axe-core';
import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  Locator,
  Page,
} from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals';
import { openBrowser } from './browser.js';
import { Client, created, type Page as ListPage } from './client.js';
import { HostPages, toHtml } from './host-pages.js';
import { newUserId, sharedService, type SharedService } from './shared-service.js';

export const ANSWER = 'Customers may return any order within 30 days of delivery.';
export const QUESTION = 'How long may customers return an order?';
const WAIT_MS = 60_000;

export interface Site {
  readonly id: string;
}

/** A knowledge base, and pages of other origins that show its sites to visitors. */
export class Visiting {
  private constructor(
    readonly service: SharedService,
    readonly alice: Client,
    readonly kbId: string,
    readonly pages: HostPages,
    private readonly browser: Browser,
  ) {}

  static async start(): Promise<Visiting> {
    const [browser, service, pages] = await Promise.all([
      openBrowser(),
      sharedService(),
      HostPages.start(),
    ]);
    const alice = new Client(service, newUserId('alice'));
    const { id } = await alice.createKnowledgeBase();
    await alice.addDocument(id, { title: 'Returns policy', text: ANSWER });
    return new Visiting(service, alice, id, pages, browser);
  }

  async stop(): Promise<void> {
    await this.browser.close();
    this.pages.stop();
  }

  async createSite(more: object = {}): Promise<Site> {
    const body = { name: 'Help centre', origins: [this.pages.origin], ...more };
    return created(await this.alice.post<Site>(`/kbs/${this.kbId}/sites`, body), 201);
  }

  change(site: Site, changes: object) {
    return this.alice.call('PATCH', `/sites/${site.id}`, changes);
  }

  /** The line that shows a site on a page. */
  snippet(site: Site, attributes = 'async'): string {
    return `<script src="${this.service.url}/widget.js" data-site="${site.id}" ${attributes}></script>`;
  }

  /** The same as an element in the body of the page. */
  element({ id }: Site): string {
    const { url } = this.service;
    return `<script src="${url}/widget.js" async></script><latchkey-chat site="${id}" service="${url}"></latchkey-chat>`;
  }

  /** How many messages each conversation of the knowledge base has. */
  async conversations(): Promise<number[]> {
    const { body } = await this.alice.get<ListPage<{ message_count: number }>>(
      `/kbs/${this.kbId}/conversations`,
    );
    return body.data.map((one) => one.message_count);
  }

  async newVisitor(options: BrowserContextOptions = {}): Promise<Visitor> {
    // Colours of what is still fading in have too little contrast.
    const context = await this.browser.newContext({ reducedMotion: 'reduce', ...options });
    context.setDefaultTimeout(WAIT_MS);
    return new Visitor(await context.newPage(), context);
  }
}

/** Somebody who looks at a page, and asks. */
export class Visitor {
  /** What ran wrong in the page. */
  readonly errors: string[] = [];

  constructor(
    readonly page: Page,
    readonly context: BrowserContext,
  ) {
    page.on('pageerror', (error) => this.errors.push(error.message));
  }

  get launcher(): Locator {
    return this.page.getByRole('button', { name: 'Ask a question' });
  }

  get panel(): Locator {
    return this.page.getByRole('dialog');
  }

  get field(): Locator {
    return this.page.getByRole('textbox', { name: 'Your question' });
  }

  /** The answers whose end has come. */
  get answers(): Locator {
    return this.page.locator('.turn:has(.rate) .answer');
  }

  get refusal(): Locator {
    return this.page.getByRole('alert');
  }

  async open(): Promise<void> {
    await this.launcher.click();
    await this.field.waitFor();
  }

  async send(question = QUESTION): Promise<void> {
    await this.field.fill(question);
    await this.field.press('Enter');
  }

  /** @returns the answer */
  async ask(question = QUESTION): Promise<string> {
    const before = await this.answers.count();
    await this.send(question);
    return this.answers.nth(before).innerText();
  }

  /** @returns why there is no answer */
  async askInVain(question = QUESTION): Promise<string> {
    const before = await this.refusal.count();
    await this.send(question);
    return this.refusal.nth(before).innerText();
  }

  /** What axe finds, which must be nothing. */
  async expectNoFaults(name: string): Promise<void> {
    await this.page.evaluate(axe.source);
    const { violations, incomplete } = await this.page.evaluate<AxeResults>('axe.run()');
    // What axe cannot decide is whether an empty field has contrast, what is in a frame, and all of it that is beside the body.
    const isBesideBody = (await this.page.locator('html > latchkey-chat').count()) > 0;
    const undecided = isBesideBody
      ? []
      : incomplete.map(({ nodes, ...one }) => ({
          ...one,
          nodes: nodes.filter(({ html }) => !/^<(?:textarea|iframe)/.test(html)),
        }));
    const faults = [...violations, ...undecided.filter(({ nodes }) => nodes.length > 0)].map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`,
    );
    expect([name, faults]).toEqual([name, []]);
  }
}

/** For each test of a file a visitor of their own, in one browser. An exception in the page fails the test. */
export function eachVisitor(begin: (visiting: Visiting, visitor: Visitor) => void): void {
  let visiting: Visiting;
  let visitor: Visitor;
  beforeAll(async () => {
    visiting = await Visiting.start();
  });
  beforeEach(async () => {
    visitor = await visiting.newVisitor();
    begin(visiting, visitor);
  });
  afterEach(async () => {
    expect(visitor.errors).toEqual([]);
    await visitor.context.close();
  });
  afterAll(() => visiting.stop());
}

export { toHtml };

import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Browser, BrowserContext, Page as BrowserPage } from 'playwright-core';
import { CREDENTIALS as USER, DavServer } from '../../packages/sources/test/dav-server.js';
import { ImapServer } from '../../packages/sources/test/imap-server.js';
import { complaintsOf, hasChromium, openBrowser } from '../support/browser.js';
import { Client, type KnowledgeBase } from '../support/client.js';
import { ConsolePage } from '../support/console.js';
import { OikbClient } from '../support/oikb-client.js';
import { tool } from '../support/requirement.js';
import { Service } from '../support/service.js';
import { newUserId } from '../support/shared-service.js';
import { SOURCE_FOLDERS, Sources, TestFolder, TestSite } from '../support/sources.js';

const chromium = tool('Chromium', hasChromium);

chromium.describe('sources in the console', () => {
  let browser: Browser;
  let service: Service;
  let context: BrowserContext;
  let page: BrowserPage;
  let site: ConsolePage;
  let complaints: string[];
  let alice: Client;
  let kb: KnowledgeBase;
  let web: TestSite;
  let user: string;

  beforeAll(async () => {
    [browser, service] = await Promise.all([
      openBrowser(),
      Service.start({ SOURCE_ALLOW_PRIVATE: 'yes', SOURCE_FOLDERS }),
    ]);
  });
  beforeEach(async () => {
    user = newUserId('alice');
    alice = new Client(service, user);
    kb = await alice.createKnowledgeBase('Handbook');
    web = await TestSite.start();
    for (let index = 0; index < 12; index++) publish(index);
    context = await browser.newContext({ reducedMotion: 'reduce' });
    page = await context.newPage();
    site = new ConsolePage(page, service.url);
    complaints = complaintsOf(page);
    await site.signIn(user);
    await page.getByRole('link', { name: 'Handbook' }).click();
    await site.openPage('Sources');
  });
  afterEach(async () => {
    expect(complaints).toEqual([]);
    await context.close();
    await web.stop();
  });
  afterAll(() => Promise.all([browser.close(), service.stop()]));

  const publish = (index: number) => {
    const links = Array.from({ length: 12 }, (_, to) => `<a href="/${to}">Rule ${to}</a>`);
    const body = `<nav>${links.join(' ')}</nav><main><h1>Rule ${index}</h1><p>The code of door ${index} is ${index}${index}.</p></main>`;
    const html = `<html><head><title>Rule ${index}</title></head><body>${body}</body></html>`;
    web.pages.set(`/${index}`, html);
  };
  const dialog = (name: string) => page.getByRole('dialog', { name });
  const address = () => `http://127.0.0.1:${web.port}/0`;
  const connect = (more: object = {}) =>
    new Sources(alice, kb.id).connect('website', { start_urls: [address()] }, more);

  it('are connected, tested, previewed, run, confirmed, paused, changed and ended', async () => {
    await site.button('Connect a source').click();
    await page.getByLabel('Name', { exact: true }).fill('House rules');
    await page.getByLabel('Start URLs').fill(`http://127.0.0.1:${web.port}/none`);
    await site.button('Test the connection').click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Start URLs').fill(address());
    await site.button('Test the connection').click();
    await page.getByText('The source can be read.').waitFor();
    await site.expectNoFaults('connect a source');
    await site.button('Connect').click();

    await page.getByRole('heading', { name: 'House rules' }).waitFor();
    await page.getByText('No runs yet').waitFor();
    await site.button('Preview').click();
    await page.getByText('A run would find: 12 new, 0 changed, 0 to delete').waitFor();
    await site.button('Run now').click();
    await page.getByText('12 added, 0 changed, 0 deleted, 0 unchanged.').waitFor();
    await site.expectNoFaults('source');

    for (const gone of [3, 4, 5]) web.pages.delete(`/${gone}`);
    await site.button('Run now').click();
    await page.getByText('since 3 documents would have been deleted').waitFor();
    await page.getByText('more than a tenth').waitFor();
    await site.button('Let it delete them…').click();
    await dialog('Delete what is gone').getByText('This deletes 3 documents').waitFor();
    await site.expectNoFaults('confirm');
    await site.button('Run and delete').click();
    await page.getByText('0 added, 0 changed, 3 deleted, 9 unchanged').waitFor();
    await page.getByText('more than a tenth').waitFor({ state: 'detached' });

    await site.button('Pause').click();
    await page.getByText('paused', { exact: true }).waitFor();
    await site.button('Change').click();
    await page.getByLabel('Name', { exact: true }).fill('Rules of the house');
    const change = dialog('Change the source');
    await change.getByLabel('Runs', { exact: true }).selectOption('only when told to');
    await site.button('Save').click();
    await page.getByRole('heading', { name: 'Rules of the house' }).waitFor();
    await page.getByText('only when told to').waitFor();
    await site.button('Resume').click();
    await page.getByText('active', { exact: true }).waitFor();

    await site.button('End…').click();
    await page.getByLabel('Its 9 documents').selectOption('are deleted with it');
    await site.button('End the source').click();
    await page.getByText('No sources yet').waitFor();
    await site.openPage('Documents');
    await page.getByText('No documents yet').waitFor();
    // Its page may have read its runs once more.
    complaints.splice(0, complaints.length, ...complaints.filter((one) => !/ 404 /.test(one)));
  });

  it('say which paths of rules match nothing, and open what is held back when told to', async () => {
    const folder = new TestFolder();
    folder.write('hr/pay.md', 'The code of door 1 is 11.');
    folder.write('open.md', 'The code of door 2 is 22.');
    const config = { path: folder.path, access: { HR: { allow: ['group:hr'] } } };
    const source = await new Sources(alice, kb.id).connect('folder', config);
    await site.open(`/kbs/${kb.id}/sources/${source.id}`);
    await site.button('Run now').click();
    await page
      .getByText('2 added, 0 changed, 0 deleted, 0 unchanged. Documents are held')
      .waitFor();
    const alert = page.locator('.alert');
    await alert.getByText('1 document cannot be read by anybody').waitFor();
    await alert.getByText('No document is at this path of config.access, but at hr.').waitFor();
    await site.expectNoFaults('held back');
    await site.button('Confirm the run…').click();
    await dialog('Open what is held back?').getByText('as the other rules of the source').waitFor();
    await site.button('Run and open').click();
    await page.getByText('0 added, 1 changed, 0 deleted, 1 unchanged.').waitFor();
    await alert.waitFor({ state: 'detached' });
    folder.remove();
  });

  it('of the kind oikb say how it is run, and show its runs', async () => {
    await site.button('Connect a source').click();
    await page.getByLabel('Kind').selectOption('oikb (46 kinds)');
    await page.getByLabel('Name', { exact: true }).fill('Drive');
    await site.button('Connect').click();
    await page.getByRole('heading', { name: 'Drive' }).waitFor();
    const id = page.url().split('/').at(-1) ?? '';
    await page
      .getByText(`oikb sync ./docs --url ${service.url}/open-webui --kb-id ${id}`)
      .waitFor();
    expect(await site.button('Run now').count()).toBe(0);
    const oikb = new OikbClient(service.url, id, { 'x-idp-user-id': user });
    const files = { 'a.md': '# A', 'b.md': '# B', 'c.md': '# C' };
    await oikb.sync(files);
    await page.getByText('3 added, 0 changed, 0 deleted, 0 unchanged.').waitFor();
    await site.expectNoFaults('oikb');
    await oikb.sync({ 'a.md': '# A' });
    await page.getByText('Nothing was deleted, since 2 documents').waitFor();
    await site.button('Let it delete them…').click();
    await dialog('Delete what is gone').getByText('The next run of oikb deletes 2').waitFor();
    await site.button('Let it delete').click();
    await dialog('Delete what is gone').waitFor({ state: 'detached' });
    await oikb.sync({ 'a.md': '# A' });
    await page.getByText('0 added, 0 changed, 2 deleted, 1 unchanged.').waitFor();
  });

  it('say in words why a run failed, and which document', async () => {
    const source = await connect({ name: 'Rules' });
    await new Sources(alice, kb.id).run(source.id);
    web.broken.add('/7').add('/8');
    await site.open(`/kbs/${kb.id}/sources/${source.id}`);
    await site.button('Run now').click();
    await page.getByText('2 failed').waitFor();
    await page.getByText('2 reasons').click();
    await page.getByText(`http://127.0.0.1:${web.port}/7`).waitFor();
    await web.stop();
    await site.button('Run now').click();
    await page.getByText('Failed: The server cannot be reached.').waitFor();
    await page.getByText('failing', { exact: true }).waitFor();
    web = await TestSite.start();
  });

  it('are told from uploads in the list of documents, which can be filtered by them', async () => {
    await alice.addDocument(kb.id, { title: 'Uploaded', text: 'By hand.' });
    const source = await connect({ name: 'Rules' });
    await new Sources(alice, kb.id).run(source.id);
    await site.openPage('Documents');
    await page.getByText('from Rules').first().waitFor();
    await page.getByLabel('Source', { exact: true }).selectOption('Rules');
    await page.getByRole('link', { name: 'Uploaded' }).waitFor({ state: 'detached' });
    await page.reload();
    await page.getByText('from Rules').nth(11).waitFor();
    expect(await page.getByText('from Rules').count()).toBe(12);
    await page.getByRole('link', { name: 'Rule 7', exact: true }).click();
    await page.getByRole('link', { name: 'a source', exact: true }).click();
    await page.getByRole('heading', { name: 'Rules' }).waitFor();
  });

  it('are connected by the keyboard alone, and keep no credentials in the page', async () => {
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    await site.button('Connect a source').focus();
    await press('Enter');
    await dialog('Connect a source').waitFor();
    // The kind has the focus: S3 is the second one.
    await press('ArrowDown', 'Tab');
    await page.keyboard.type('Bucket');
    await press('Tab');
    await page.keyboard.type(`http://127.0.0.1:${web.port}`);
    await press('Tab', 'Tab');
    await page.keyboard.type('handbook');
    await site.tabTo(page.getByLabel('Access key id'));
    await page.keyboard.type('key-id');
    await press('Tab');
    await page.keyboard.type('a-very-secret-key');
    await press('Enter');
    await page.getByRole('heading', { name: 'Bucket' }).waitFor();
    expect(await site.traces()).not.toContain('a-very-secret-key');
    await site.button('Change').focus();
    await press('Enter');
    await page.getByText('Leave them empty to keep the stored ones.').waitFor();
    expect(await page.getByLabel('Secret access key').inputValue()).toBe('');
    await site.expectNoFaults('change');
    await press('Escape');
    await dialog('Change the source').waitFor({ state: 'detached' });
  });

  it('have a form for each kind', async () => {
    await site.button('Connect a source').click();
    for (const [kind, label] of [
      ['S3 bucket', 'Bucket'],
      ['Git repository', 'Branch'],
      ['Folder of the server', 'Path'],
      ['Confluence space', 'Key of the space'],
      ['oikb (46 kinds)', 'Address of a document'],
      ['Website', 'Start URLs'],
    ] as const) {
      await page.getByLabel('Kind').selectOption(kind);
      await page.getByLabel(label, { exact: true }).waitFor();
      await site.expectNoFaults(kind);
    }
    await page.getByLabel('Kind').selectOption('Folder of the server');
    await page.getByLabel('Name', { exact: true }).fill('Files');
    await page.getByLabel('Path').fill('/etc');
    await site.button('Connect').click();
    await page.getByText('must be in one of the folders of SOURCE_FOLDERS').first().waitFor();
    expect(await page.getByLabel('Path').getAttribute('aria-invalid')).toBe('true');
    // The answer 400 is one, and is dealt with.
    complaints.splice(0, complaints.length, ...complaints.filter((one) => !/ 400 /.test(one)));
  });

  it('may be folders of Nextcloud and of mail', async () => {
    const [dav, mail] = await Promise.all([DavServer.start(), ImapServer.start()]);
    try {
      dav.files.set('leave.md', 'Leave is 30 days.');
      mail.add('INBOX', 4, 'Subject: Rates', 'A night is 90 euros.');
      for (const [kind, url] of [
        ['WebDAV or Nextcloud', dav.config.url],
        ['Mailbox (IMAP)', mail.config.url],
      ] as const) {
        await site.button('Connect a source').click();
        await page.getByLabel('Kind').selectOption(kind);
        await page.getByLabel('Name', { exact: true }).fill(kind);
        await page.getByLabel('Address').fill(url);
        await page.getByLabel('User name').fill(USER.username);
        await page.getByLabel('Password').fill(USER.password);
        await site.button('Test the connection').click();
        await page.getByText('The source can be read.').waitFor();
        await site.expectNoFaults(`connect ${kind}`);
        await site.button('Connect').click();
        await page.getByRole('heading', { name: kind }).waitFor();
        await site.openPage('Sources');
      }
    } finally {
      await Promise.all([dav.stop(), mail.stop()]);
    }
  });
});

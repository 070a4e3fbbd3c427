import { existsSync } from 'node:fs';
import playwright, { type Browser, type Page } from 'playwright-core';

const EXECUTABLE = '/usr/bin/chromium';
export const hasChromium = existsSync(EXECUTABLE);

/** Debian's Chromium without a window, which calls nobody but the pages that it is shown. */
export const openBrowser = (): Promise<Browser> =>
  playwright.chromium.launch({
    executablePath: EXECUTABLE,
    args: [
      ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
      ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
    ],
  });

/** What a page complains of from now on, a refused request among it. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') {
      complaints.push(`${message.text()} ${message.location().url}`);
    }
  });
  return complaints;
}

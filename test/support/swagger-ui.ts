import type { Locator, Page } from 'playwright-core';

/** What Swagger UI shows of an answer. */
export interface ShownAnswer {
  readonly status: number;
  readonly text: string;
}

export interface Changes {
  /** By the name of the parameter. */
  readonly parameters?: Record<string, string>;
  /** Instead of what the example has. */
  readonly body?: Record<string, unknown>;
  /** For forms: the file to send. */
  readonly file?: { name: string; mimeType: string; buffer: Buffer };
}

/** Swagger UI, used as people do: by what it shows. */
export class SwaggerUi {
  constructor(private readonly page: Page) {}

  async authorize(userId: string): Promise<void> {
    await this.page.getByRole('button', { name: 'Authorize' }).click();
    const dialog = this.page.locator('.dialog-ux');
    // Beside it stands the form for an API key, as Bearer.
    const form = dialog.locator('form').filter({ has: this.page.locator('#api_key_value') });
    await form.locator('#api_key_value').fill(userId);
    await form.getByRole('button', { name: 'Apply credentials' }).click();
    await dialog.getByRole('button', { name: 'Close' }).first().click();
  }

  /** Sends the example of an operation, but for `changes`. */
  async execute(operationId: string, changes: Changes = {}): Promise<ShownAnswer> {
    const operation = await this.open(operationId);
    for (const [name, value] of Object.entries(changes.parameters ?? {})) {
      await operation.locator(`tr[data-param-name="${name}"] input`).fill(value);
    }
    if (changes.body) {
      const text = operation.locator('textarea.body-param__text');
      const example = JSON.parse(await text.inputValue()) as object;
      await text.fill(JSON.stringify({ ...example, ...changes.body }, null, 2));
    }
    if (changes.file) {
      await operation
        .locator('.body-param-content-type select')
        .selectOption('multipart/form-data');
      await operation.locator('input[type=file]').setInputFiles(changes.file);
    }
    const clear = operation.getByRole('button', { name: 'Clear' });
    if (await clear.isVisible()) await clear.click();
    await operation.getByRole('button', { name: 'Execute' }).click();
    const answer = operation.locator('.live-responses-table tbody .response').first();
    return {
      status: parseInt(await answer.locator('.response-col_status').innerText(), 10),
      text: await answer.locator('.response-col_description code').first().innerText(),
    };
  }

  /** Presses the copy button at the answer. */
  async copyAnswer(operationId: string): Promise<string> {
    const operation = await this.open(operationId);
    await operation.locator('.live-responses-table .copy-to-clipboard').first().click();
    return this.page.evaluate<string>('navigator.clipboard.readText()');
  }

  /** Shows the operations that have the words of `text`; all of them for none. */
  async find(text: string): Promise<void> {
    await this.page.getByRole('searchbox', { name: 'Find an operation' }).fill(text);
  }

  /** Unfolds an operation, unless it is. */
  async open(operationId: string): Promise<Locator> {
    const operation = this.page.locator(`.opblock[id$="-${operationId}"]`);
    if (!(await operation.isVisible())) await this.find(operationId);
    if (!/\bis-open\b/.test((await operation.getAttribute('class')) ?? '')) {
      await operation.locator('.opblock-summary-control').click();
    }
    return operation;
  }
}

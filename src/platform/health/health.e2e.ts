import { expect, it } from '@jest/globals';
import { TestingApp } from '../../../test/support/testing-app.js';

it('the readiness of each application in one process names its own embedding model', async () => {
  const environment = { EMBEDDINGS: 'endpoint', EMBEDDINGS_BASE_URL: 'http://127.0.0.1:9/v1' };
  const first = await TestingApp.start({ ...environment, EMBEDDINGS_MODEL: 'first' });
  const second = await TestingApp.start({ ...environment, EMBEDDINGS_MODEL: 'second' });
  const read = async ({ url }: TestingApp) =>
    ((await (await fetch(`${url}/health/ready`)).json()) as { meaning: string }).meaning;
  expect([await read(first), await read(second)]).toEqual(['endpoint:first', 'endpoint:second']);
  await Promise.all([first.stop(), second.stop()]);
});

import { expect, it } from '@jest/globals';
import { Client, outcome } from '../../../test/support/client.js';
import { Service } from '../../../test/support/service.js';

it('keys of service accounts are refused while the plugin does not run, and work again afterwards', async () => {
  const before = await Service.start();
  const alice = new Client(before, 'alice');
  const { id: kbId } = await alice.createKnowledgeBase();
  const { id } = await alice.createServiceAccount(kbId, 'owner');
  const { id: keyId, api_key: secret } = await alice.createManagementKey(id, ['keys:read']);
  const headers = { authorization: `Bearer ${secret}` };
  const use = async (service: Service) => {
    const program = new Client(service);
    const answers = [`/kbs/${kbId}/api-keys`, '/key'].map((path) =>
      program.call('GET', path, undefined, headers),
    );
    return (await Promise.all(answers)).map(outcome);
  };
  expect(await use(before)).toEqual(['200', '200']);
  await before.stop();

  const without = await Service.start({ ...before.environment, PLUGINS: 'none' });
  expect(await use(without)).toEqual(['401 invalid_api_key', '401 invalid_api_key']);
  const stayed = new Client(without, 'alice');
  expect(outcome(await stayed.get(`/service-accounts/${id}`))).toBe('404 not_found');
  expect(outcome(await stayed.get(`/api-keys/${keyId}`))).toBe('404 not_found');
  expect(outcome(await stayed.get('/audit-events'))).toBe('200');
  await without.stop();

  const again = await Service.start(before.environment);
  expect(await use(again)).toEqual(['200', '200']);
  await again.stop();
});

import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, outcome } from '../../../test/support/client.js';
import { eventually, Service } from '../../../test/support/service.js';
import { BOT_TOKEN, SlackServer, signSlack } from '../../../test/support/slack-server.js';
import { sql } from '../../../test/support/sql.js';

const pepper = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;
const [A, B, C] = [pepper('a'), pepper('b'), pepper('c')];
const SECRET = '8f742231b10e8888abcd99yyyzzz85a5';

describe('the secrets of a channel and the pepper they are encrypted under', () => {
  let slack: SlackServer;
  let service: Service;
  let id: string;

  beforeAll(async () => {
    slack = await SlackServer.start();
    service = await Service.start({ SLACK_API_URL: slack.url, API_KEY_PEPPERS: A });
    const { id: kbId } = await alice().createKnowledgeBase();
    const body = { name: 'Slack', signing_secret: SECRET, bot_token: BOT_TOKEN };
    ({ id } = (await alice().post<{ id: string }>(`/kbs/${kbId}/channels`, body)).body);
  });

  afterAll(async () => {
    await service.stop();
    await slack.stop();
  });

  const alice = () => new Client(service, 'alice');
  const restartWith = async (peppers: string) => {
    await service.stop();
    service = await Service.start({ ...service.environment, API_KEY_PEPPERS: peppers });
  };
  const challenge = () => {
    const body = JSON.stringify({ type: 'url_verification', challenge: 'c' });
    return new Client(service).call(
      'POST',
      `/channels/${id}/events`,
      body,
      signSlack(body, SECRET),
    );
  };

  it('move to a new pepper when the service starts with both', async () => {
    await restartWith(`${B},${A}`);
    await eventually(async () => {
      const statement = 'SELECT pepper_id FROM channels';
      const [row] = await sql<{ pepper_id: string }>(service.environment, statement);
      return row?.pepper_id === 'b';
    });
    await restartWith(B);
    expect(outcome(await challenge())).toBe('200');
  });

  it('cannot be read without it: requests are refused until both are given again', async () => {
    await restartWith(C);
    expect(outcome(await challenge())).toBe('401 invalid_signature');
    const secrets = { signing_secret: SECRET, bot_token: BOT_TOKEN };
    expect(outcome(await alice().call('PATCH', `/channels/${id}`, secrets))).toBe('200');
    expect(outcome(await challenge())).toBe('200');
  });
});

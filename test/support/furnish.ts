import { Client } from './client.js';
import { newUserId, type SharedService, sharedServices } from './shared-service.js';

/** What most files begin with: the shared processes, a user of the file's own, a knowledge base. */
export interface Furnished {
  readonly service: SharedService;
  /** The other process on the same database. */
  readonly second: SharedService;
  readonly userId: string;
  readonly alice: Client;
  readonly aliceOnSecond: Client;
  /** Has no dashboard user, only API keys. */
  readonly partner: Client;
  readonly kbId: string;
}

export async function furnish(name = 'alice'): Promise<Furnished> {
  const [service, second] = await sharedServices();
  const userId = newUserId(name);
  const alice = new Client(service, userId);
  return {
    ...{ service, second, userId, alice, aliceOnSecond: new Client(second, userId) },
    partner: new Client(service),
    kbId: (await alice.createKnowledgeBase()).id,
  };
}

import { describe, expect, it } from '@jest/globals';
import { Client, type Document } from '../support/client.js';
import { uploadFile } from '../support/files.js';
import { eventually } from '../support/service.js';
import { newUserId, sharedService } from '../support/shared-service.js';

const MAX_FILE = 3_000_000;

describe('a document', () => {
  it('fails as too_many_chunks if it has one-letter words and small passages', async () => {
    const alice = new Client(await sharedService(), newUserId('alice'));
    const { id: kbId } = await alice.createKnowledgeBase();
    await alice.set(kbId, { chunk_size: 20, chunk_overlap: 0 });
    const upload = { name: 'letters.txt', bytes: 'a '.repeat(MAX_FILE / 2) };
    const { status, body } = await uploadFile(alice, kbId, upload);
    expect(status).toBe(202);

    let document: Document | undefined;
    await eventually(async () => {
      document = (await alice.get<Document>(`/documents/${body.id}`)).body;
      return document.status === 'ready' || document.status === 'failed';
    }, 240_000);
    expect(document).toMatchObject({
      status: 'failed',
      error: { code: 'too_many_chunks' },
      chunk_count: 0,
    });
  });
});

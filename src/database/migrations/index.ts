import { CreateSchema1763600000000 } from './1763600000000-create-schema.js';
import { CreatePostings1763600000001 } from './1763600000001-create-postings.js';

/** In order. A migration that was released is never changed. */
export const migrations = [CreateSchema1763600000000, CreatePostings1763600000001];

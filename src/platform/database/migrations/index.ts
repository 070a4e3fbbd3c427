import { CreateSchema1763600000000 } from './1763600000000-create-schema.js';
import { CreatePostings1763600000001 } from './1763600000001-create-postings.js';
import { CreateSettings1763640000000 } from './1763640000000-create-settings.js';
import { IndexKnowledgeBaseState1763640000001 } from './1763640000001-index-knowledge-base-state.js';
import { CreateRateLimits1763640000002 } from './1763640000002-create-rate-limits.js';
import { RememberChunking1763650000000 } from './1763650000000-remember-chunking.js';
import { ExtendSearchIndex1763660000000 } from './1763660000000-extend-search-index.js';
import { RecordAnswers1763670000000 } from './1763670000000-record-answers.js';
import { CountUsage1763680000000 } from './1763680000000-count-usage.js';
import { NoteEndUsersByQuarters1763690000000 } from './1763690000000-note-end-users-by-quarters.js';
import { FallBackToExtractive1763700000000 } from './1763700000000-fall-back-to-extractive.js';
import { CountShares1763700300000 } from './1763700300000-count-shares.js';
import { KeepAuditEvents1763710000000 } from './1763710000000-keep-audit-events.js';
import { RollUpByQuarters1763720000000 } from './1763720000000-roll-up-by-quarters.js';
import { DescribeDocuments1763730000000 } from './1763730000000-describe-documents.js';
import { IndexLanguages1763740000000 } from './1763740000000-index-languages.js';
import { RestrictApiKeys1763750000000 } from './1763750000000-restrict-api-keys.js';
import { CreateWebhooks1763760000000 } from './1763760000000-create-webhooks.js';
import { EvaluateAnswers1763770000000 } from './1763770000000-evaluate-answers.js';
import { StoreContents1795300000000 } from './1795300000000-store-contents.js';
import { RequireMigrations1795400000000 } from './1795400000000-require-migrations.js';
import { AllowPgvector1795500000000 } from './1795500000000-allow-pgvector.js';
import { LimitEndUsers1795610000000 } from './1795610000000-limit-end-users.js';
import { QueueByUser1795620000000 } from './1795620000000-queue-by-user.js';

/**
 * In order. A migration that was released is never changed. New ones expand the schema, so that the
 * version before keeps running on it; one that removes or narrows anything calls `requireMigration`
 * (see docs/releasing.md).
 */
export const migrations = [
  CreateSchema1763600000000,
  CreatePostings1763600000001,
  CreateSettings1763640000000,
  IndexKnowledgeBaseState1763640000001,
  CreateRateLimits1763640000002,
  RememberChunking1763650000000,
  ExtendSearchIndex1763660000000,
  RecordAnswers1763670000000,
  CountUsage1763680000000,
  NoteEndUsersByQuarters1763690000000,
  FallBackToExtractive1763700000000,
  CountShares1763700300000,
  KeepAuditEvents1763710000000,
  RollUpByQuarters1763720000000,
  DescribeDocuments1763730000000,
  IndexLanguages1763740000000,
  RestrictApiKeys1763750000000,
  CreateWebhooks1763760000000,
  EvaluateAnswers1763770000000,
  StoreContents1795300000000,
  RequireMigrations1795400000000,
  AllowPgvector1795500000000,
  LimitEndUsers1795610000000,
  QueueByUser1795620000000,
];

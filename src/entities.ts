import { ApiKeyActivity } from './api-keys/api-key-activity.entity.js';
import { ManagementKeyUse } from './api-keys/management-key-use.entity.js';
import { ApiKeyGrant } from './api-keys/api-key-grant.entity.js';
import { ApiKey } from './api-keys/api-key.entity.js';
import { AccessEntry } from './knowledge-bases/access-rules/access-entry.entity.js';
import { AccessSet } from './knowledge-bases/access-rules/access-set.entity.js';
import { FormerOwner } from './knowledge-bases/audit/former-owner.entity.js';
import { Conversation } from './chat/conversations/conversation.entity.js';
import { MessageFeedback } from './chat/conversations/message-feedback.entity.js';
import { Message } from './chat/conversations/message.entity.js';
import { UnansweredQuestion } from './chat/conversations/unanswered-question.entity.js';
import { Passage } from './documents/passage.entity.js';
import { StoredContent } from './documents/contents/stored-content.entity.js';
import { DocumentContent } from './documents/document-content.entity.js';
import { Document } from './documents/document.entity.js';
import { KeptRule } from './documents/kept-rule.entity.js';
import { QueuedJob } from './knowledge-bases/queued-job.entity.js';
import { UserTurn } from './knowledge-bases/user-turn.entity.js';
import { RecognisedPage } from './documents/recognition/recognised-page.entity.js';
import { KnowledgeBaseSize } from './documents/knowledge-base-size.entity.js';
import { IdempotencyRecord } from './platform/idempotency/idempotency-record.entity.js';
import { KnowledgeBaseMember } from './knowledge-bases/knowledge-base-member.entity.js';
import { KnowledgeBase } from './knowledge-bases/knowledge-base.entity.js';
import { BudgetCount } from './knowledge-bases/budgets/budget-count.entity.js';
import { DailyMessageCount } from './knowledge-bases/settings/daily-message-count.entity.js';
import { KnowledgeBaseSettings } from './knowledge-bases/settings/knowledge-base-settings.entity.js';
import { JobLease } from './platform/jobs/job-lease.entity.js';
import { UsageCount } from './usage/usage-count.entity.js';
import { UsageMember } from './usage/usage-member.entity.js';
import { EventNotice } from './knowledge-bases/events/event-notice.entity.js';
import { EventPosition } from './knowledge-bases/events/event-position.entity.js';
import { RecordedEvent } from './knowledge-bases/events/recorded-event.entity.js';

/** The tables of the core; those of plugins come with them. */
export const entities = [
  KnowledgeBase,
  KnowledgeBaseMember,
  KnowledgeBaseSettings,
  DailyMessageCount,
  BudgetCount,
  AccessSet,
  AccessEntry,
  ApiKey,
  ApiKeyGrant,
  ApiKeyActivity,
  ManagementKeyUse,
  RecordedEvent,
  EventPosition,
  FormerOwner,
  IdempotencyRecord,
  Document,
  DocumentContent,
  StoredContent,
  Passage,
  RecognisedPage,
  KeptRule,
  KnowledgeBaseSize,
  QueuedJob,
  UserTurn,
  Conversation,
  Message,
  MessageFeedback,
  UnansweredQuestion,
  JobLease,
  UsageCount,
  UsageMember,
  EventNotice,
];

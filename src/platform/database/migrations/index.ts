import { CreateTables1763600000000 } from './1763600000000-create-tables.js';
import { CreateSearchIndex1763600000001 } from './1763600000001-create-search-index.js';
import { KeepRules1764300000002 } from './1764300000002-keep-rules.js';
import { ContentSince1764300000003 } from './1764300000003-content-since.js';
import { CompareNamesOfPersons1764300000004 } from './1764300000004-compare-names-of-persons.js';
import { AddCharset1764300000005 } from './1764300000005-add-charset.js';
import { CompareEndUsers1764300000010 } from './1764300000010-compare-end-users.js';
import { FindNamesToRepair1764300000011 } from './1764300000011-find-names-to-repair.js';
import { GrantsOfKeys1764400000011 } from './1764400000011-grants-of-keys.js';
import { Events1764400000031 } from './1764400000031-events.js';
import { DropIndexesOfRepair1764400000041 } from './1764400000041-drop-indexes-of-repair.js';
import { QueuedJobs1764400000051 } from './1764400000051-queued-jobs.js';
import { CiteCuratedAnswers1764400000052 } from './1764400000052-cite-curated-answers.js';
import { AddConfidence1764400000053 } from './1764400000053-add-confidence.js';
import { DocumentVectors1764400000057 } from './1764400000057-document-vectors.js';
import { AgentConnections1764500000011 } from './1764500000011-agent-connections.js';
import { SelfRotation1764500000012 } from './1764500000012-self-rotation.js';
import { PortalLinks1764500000014 } from './1764500000014-portal-links.js';
import { SenderConstraints1764500000021 } from './1764500000021-sender-constraints.js';
import { Validity1764500000031 } from './1764500000031-validity.js';
import { DocumentDates1764500000032 } from './1764500000032-document-dates.js';
import { Versions1764500000033 } from './1764500000033-versions.js';
import { Oikb1764500000034 } from './1764500000034-oikb.js';
import { Sites1764500000041 } from './1764500000041-sites.js';
import { Channels1764500000042 } from './1764500000042-channels.js';
import { Invitations1764500000047 } from './1764500000047-invitations.js';
import { Traces1764500000044 } from './1764500000044-traces.js';

/**
 * In order. A migration that was released is never changed, and processes that run must be able to
 * go on after it (see docs/releasing.md).
 */
export const migrations = [
  CreateTables1763600000000,
  CreateSearchIndex1763600000001,
  KeepRules1764300000002,
  ContentSince1764300000003,
  CompareNamesOfPersons1764300000004,
  AddCharset1764300000005,
  CompareEndUsers1764300000010,
  FindNamesToRepair1764300000011,
  GrantsOfKeys1764400000011,
  Events1764400000031,
  DropIndexesOfRepair1764400000041,
  QueuedJobs1764400000051,
  CiteCuratedAnswers1764400000052,
  AddConfidence1764400000053,
  DocumentVectors1764400000057,
  AgentConnections1764500000011,
  SelfRotation1764500000012,
  PortalLinks1764500000014,
  SenderConstraints1764500000021,
  Validity1764500000031,
  DocumentDates1764500000032,
  Versions1764500000033,
  Oikb1764500000034,
  Sites1764500000041,
  Channels1764500000042,
  Traces1764500000044,
  Invitations1764500000047,
];

import { Column, Entity, PrimaryColumn, type Relation } from 'typeorm';
import { Completes } from '../../platform/database/belongs-to.js';
import { json } from '../../platform/database/dialect.js';
import { KnowledgeBase } from '../knowledge-base.entity.js';
import type { StoredSettings } from './settings.js';

@Entity('knowledge_base_settings')
export class KnowledgeBaseSettings {
  @PrimaryColumn('varchar') kbId: string;
  @Completes(() => KnowledgeBase, 'kb_id') knowledgeBase: Relation<KnowledgeBase>;

  /** The settings, by the names of SettingsDto. Defaults are not stored. */
  @Column({ type: json }) settings: StoredSettings;
}

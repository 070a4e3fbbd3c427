import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { instant } from '../../platform/database/dialect.js';

/**
 * Uses the dashboard's API for a program, with keys of its own. Its id is a member of each knowledge base
 * that it may access, with its role there.
 */
@Entity('service_accounts')
@Index(['createdBy'])
export class ServiceAccount {
  @PrimaryColumn('varchar') id: string;
  @Column('varchar') name: string;

  /** Whether it may create knowledge bases, which it then owns. */
  @Column('boolean') createsKnowledgeBases: boolean;
  @Column('varchar') createdBy: string;
  @Column({ type: instant }) createdAt: Date;
}

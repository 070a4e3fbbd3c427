import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { instant } from '../../platform/database/dialect.js';

/**
 * Acts on the dashboard for a program, by keys of its own. Its id stands among the members of each
 * knowledge base that it may touch, with its role there.
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

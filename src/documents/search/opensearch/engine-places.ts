import type { DataSource, EntityManager } from 'typeorm';
import { KnowledgeBase, type SearchPlace } from '../../../knowledge-bases/knowledge-base.entity.js';
import { isPostgres, sqlParameter } from '../../../platform/database/dialect.js';
import type { UnitOfWork } from '../../../platform/database/unit-of-work.js';
import { type EnginePlace, writePlaces } from './engine-place.js';

/** Where in a cluster knowledge bases are. */
export class EnginePlaces {
  constructor(
    private readonly dataSource: DataSource,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** @returns undefined of a knowledge base that is not there */
  async findState(kbId: string): Promise<SearchPlace | undefined> {
    return (await this.find(kbId, `state = 'active'`))?.place;
  }

  /** Whether there may be an index of it alone; also of one that is deleted, but not removed yet. */
  async mayHaveOwn(kbId: string): Promise<boolean> {
    return (await this.find(kbId, `search_place <> 'shared'`)) !== undefined;
  }

  async findWritten(kbId: string): Promise<readonly EnginePlace[]> {
    return writePlaces(await this.findState(kbId));
  }

  /** In a transaction, until whose end they stay the same. */
  async keepWritten(manager: EntityManager, kbId: string): Promise<readonly EnginePlace[]> {
    const lock = isPostgres(this.dataSource) ? 'FOR SHARE' : '';
    return writePlaces((await this.find(kbId, `state = 'active' ${lock}`, manager))?.place);
  }

  /** @returns false where the state is another one, or the knowledge base is not there */
  change(kbId: string, from: SearchPlace, to: SearchPlace): Promise<boolean> {
    return this.unitOfWork.run(async (manager) => {
      // Whoever adds passages without the new state has ended then, and the copy finds them.
      if (isPostgres(this.dataSource)) {
        const lock = 'SELECT number FROM search_indexes WHERE kb_id = $1 FOR UPDATE';
        await manager.query(lock, [kbId]);
      }
      const row = { id: kbId, state: 'active', searchPlace: from } as const;
      const { affected } = await manager.update(KnowledgeBase, row, { searchPlace: to });
      return affected === 1;
    });
  }

  private async find(
    kbId: string,
    condition: string,
    manager: DataSource | EntityManager = this.dataSource,
  ) {
    const [row] = await manager.query<{ place: SearchPlace }[]>(
      `SELECT search_place AS place FROM knowledge_bases
       WHERE id = ${sqlParameter(this.dataSource, 0)} AND ${condition}`,
      [kbId],
    );
    return row;
  }
}

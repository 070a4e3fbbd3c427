import type { DataSource, EntityManager } from 'typeorm';
import { KnowledgeBase, type SearchPlace } from '../../../knowledge-bases/knowledge-base.entity.js';
import { isPostgres, sqlParameter } from '../../../platform/database/dialect.js';
import type { UnitOfWork } from '../../../platform/database/unit-of-work.js';
import { type EnginePlace, writePlaces } from './engine-place.js';

/** Reads and changes the places of knowledge bases in a cluster. */
export class EnginePlaces {
  constructor(
    private readonly dataSource: DataSource,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** @returns undefined if the knowledge base does not exist */
  async findState(kbId: string): Promise<SearchPlace | undefined> {
    return (await this.find(kbId, `state = 'active'`))?.place;
  }

  /**
   * Whether the knowledge base may have its own index; also true for a deleted one that is not removed
   * yet.
   */
  async mayHaveOwn(kbId: string): Promise<boolean> {
    return (await this.find(kbId, `search_place <> 'shared'`)) !== undefined;
  }

  async findWritten(kbId: string): Promise<readonly EnginePlace[]> {
    return writePlaces(await this.findState(kbId));
  }

  /** Returns the places to write to, and keeps them unchanged until the transaction ends. */
  async keepWritten(manager: EntityManager, kbId: string): Promise<readonly EnginePlace[]> {
    const lock = isPostgres(this.dataSource) ? 'FOR SHARE' : '';
    return writePlaces((await this.find(kbId, `state = 'active' ${lock}`, manager))?.place);
  }

  /** @returns false if the state is not `from`, or the knowledge base does not exist */
  change(kbId: string, from: SearchPlace, to: SearchPlace): Promise<boolean> {
    return this.unitOfWork.run(async (manager) => {
      // Waits for writers that do not know the new state, so that the copy includes their passages.
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

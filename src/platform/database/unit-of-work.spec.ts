import { describe, expect, it } from '@jest/globals';
import type { EntityManager } from 'typeorm';
import { Problem } from '../problems/problem.js';
import { type Collection, UnitOfWork } from './unit-of-work.js';

/** Runs the work, as both engines do in the end. */
class PlainUnitOfWork extends UnitOfWork {
  readonly statements: string[] = [];

  protected override async transact<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    const query = (statement: string) => Promise.resolve(this.statements.push(statement));
    const result = await work({ query } as unknown as EntityManager);
    this.statements.push('COMMIT');
    return result;
  }
}

/** Its first attempt is rolled back after its work, as after a conflict. */
class RepeatingUnitOfWork extends PlainUnitOfWork {
  protected override async transact<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    await work({} as EntityManager);
    return super.transact(work);
  }
}

/** Writes what it is given as one statement. */
const collection = (steps: string[]): Collection<string> => ({
  write: async (manager, items) => {
    await Promise.resolve();
    steps.push(`write ${items.join()}`);
    await (manager.query as ((statement: string) => Promise<void>) | undefined)?.(items.join());
  },
  onCommitted: (items) => void steps.push(`committed ${items.join()}`),
});

const nothing = () => Promise.resolve();

describe(UnitOfWork.name, () => {
  it('within another one throws at once, however deep it is called', async () => {
    const unitOfWork = new PlainUnitOfWork();
    let started = false;
    const later = async () => {
      await Promise.resolve();
      await unitOfWork.run(() => {
        started = true;
        return nothing();
      });
    };
    await expect(unitOfWork.run(later)).rejects.toThrow('within another');
    expect(started).toBe(false);
  });

  it('gives what its work gives, and throws what it throws', async () => {
    const unitOfWork = new PlainUnitOfWork();
    expect(await unitOfWork.run(() => Promise.resolve(7))).toBe(7);
    const failing = unitOfWork.run(() => Promise.reject(new Error('refused')));
    await expect(failing).rejects.toThrow('refused');
    await unitOfWork.run(nothing);
  });

  it('may come beside another one, and after it', async () => {
    const unitOfWork = new PlainUnitOfWork();
    await Promise.all([unitOfWork.run(nothing), unitOfWork.run(nothing)]);
    await unitOfWork.run(nothing);
  });

  it('may come out of what another one has started and left behind', async () => {
    const unitOfWork = new PlainUnitOfWork();
    let leave!: () => void;
    const left = new Promise<void>((resolve) => (leave = resolve));
    let background: Promise<void> | undefined;
    await unitOfWork.run(() => {
      background = left.then(() => unitOfWork.run(nothing));
      return nothing();
    });
    leave();
    await background;
  });

  it('writes what was collected right before its commit, at once, and says when it is committed', async () => {
    const unitOfWork = new PlainUnitOfWork();
    const steps: string[] = [];
    const letters = collection(steps);
    await unitOfWork.run(async (manager) => {
      unitOfWork.collect(manager, letters, 'a');
      await manager.query('work');
      unitOfWork.collect(manager, letters, 'b');
      await manager.query('more work');
    });
    expect(unitOfWork.statements).toEqual(['work', 'more work', 'a,b', 'COMMIT']);
    expect(steps).toEqual(['write a,b', 'committed a,b']);
  });

  it('forgets what an attempt collected that was rolled back', async () => {
    const unitOfWork = new RepeatingUnitOfWork();
    const steps: string[] = [];
    const letters = collection(steps);
    await unitOfWork.run((manager) => {
      unitOfWork.collect(manager, letters, 'a');
      return nothing();
    });
    expect(steps).toEqual(['write a', 'write a', 'committed a']);
  });

  it('forgets what a part collected that a problem has rolled back', async () => {
    const unitOfWork = new PlainUnitOfWork();
    const steps: string[] = [];
    const letters = collection(steps);
    await unitOfWork.run(async (manager) => {
      const refused = unitOfWork.runPart(manager, () => {
        unitOfWork.collect(manager, letters, 'refused');
        return Promise.reject(new Problem('not_found'));
      });
      await expect(refused).rejects.toThrow(Problem);
      await unitOfWork.runPart(manager, () => {
        unitOfWork.collect(manager, letters, 'kept');
        return nothing();
      });
    });
    expect(steps).toEqual(['write kept', 'committed kept']);
    expect(unitOfWork.statements).toContain('ROLLBACK TO SAVEPOINT part');
  });

  it('collects nothing once it has ended', async () => {
    const unitOfWork = new PlainUnitOfWork();
    const left = await unitOfWork.run((manager) => Promise.resolve(manager));
    expect(() => {
      unitOfWork.collect(left, collection([]), 'late');
    }).toThrow('No unit of work');
  });
});

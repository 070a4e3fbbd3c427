import { describe, expect, it } from '@jest/globals';
import type { EntityManager } from 'typeorm';
import { UnitOfWork } from './unit-of-work.js';

/** Runs the work, as both engines do in the end. */
class PlainUnitOfWork extends UnitOfWork {
  protected override transact<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return work({} as EntityManager);
  }
}

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
});

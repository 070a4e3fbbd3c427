import { JoinColumn, ManyToOne, type ObjectType, OneToOne } from 'typeorm';

type Entity = string | (() => ObjectType<object>);

const deletedWith =
  (relation: typeof ManyToOne | typeof OneToOne) =>
  (entity: Entity, column: string): PropertyDecorator =>
  (row, property) => {
    relation(entity, { onDelete: 'CASCADE' })(row, property);
    JoinColumn({ name: column })(row, property);
  };

/** The row that `column` refers to: one of its rows, deleted with it. */
export const BelongsTo = deletedWith(ManyToOne);

/** The row that `column`, the primary key, refers to: its only one, deleted with it. */
export const Completes = deletedWith(OneToOne);

import { JoinColumn, ManyToOne, type ObjectType, OneToOne } from 'typeorm';

type Entity = string | (() => ObjectType<object>);

const deletedWith =
  (relation: typeof ManyToOne | typeof OneToOne) =>
  (entity: Entity, column: string): PropertyDecorator =>
  (row, property) => {
    relation(entity, { onDelete: 'CASCADE' })(row, property);
    JoinColumn({ name: column })(row, property);
  };

/** Many-to-one: the row that `column` refers to. Deleting that row deletes this one. */
export const BelongsTo = deletedWith(ManyToOne);

/** One-to-one: the row that `column`, the primary key, refers to. Deleting that row deletes this one. */
export const Completes = deletedWith(OneToOne);

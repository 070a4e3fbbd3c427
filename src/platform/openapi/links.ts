/** From an answer to a request that it makes possible. */
export interface OperationLink {
  /** How the status of the answer begins: a success unless given. */
  readonly on?: string;
  /** The `operationId` of the request. */
  readonly to: string;
  readonly description: string;
  /** Parameters and body of the request: values, or expressions such as `$response.body#/id`. */
  readonly parameters?: Record<string, string>;
  readonly body?: Record<string, string>;
}

/**
 * Links to operations that take an id out of the answer.
 *
 * @param field where the answer has it, such as `data/0/id`
 * @param parameter the path parameter that it becomes
 */
export const linkTo = (
  field: string,
  parameter: string,
  ...operations: string[]
): OperationLink[] =>
  operations.map((to) => ({
    to,
    description: field.endsWith(parameter)
      ? `It takes the \`${parameter}\`.`
      : `The \`${field.split('/').at(-1)}\` is its \`${parameter}\`.`,
    parameters: { [parameter]: `$response.body#/${field}` },
  }));

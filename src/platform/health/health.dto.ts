export class HealthDto {
  /** @example 'ok' */
  status: string;

  /**
   * Only while writes are refused: commits wait for a synchronous standby of PostgreSQL. What needs no
   * write is answered.
   */
  writes?: 'unavailable';
}

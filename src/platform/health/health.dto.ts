export class HealthDto {
  /** @example 'ok' */
  status: string;

  /**
   * Of readiness: the plugins that run in this process.
   * @example ['openai-api', 'sources']
   */
  plugins?: string[];

  /**
   * Only while writes are refused: commits wait for a synchronous standby of PostgreSQL. What needs no
   * write is answered.
   */
  writes?: 'unavailable';

  /**
   * Of readiness: whose vectors search compares, `local:` or `endpoint:` and the name of the model;
   * `off` while it goes by words alone.
   * @example 'local:multilingual-e5-small'
   */
  meaning?: string;

  /** Of readiness, with `SEARCH_URL`: how the search engine is. While it is `down`, questions are 503. */
  search?: 'up' | 'degraded' | 'down';

  /**
   * Of readiness: how far the installation of a model is, while this process installs one.
   * @example 'model.onnx: 25 MB'
   */
  installing?: string;

  /**
   * Of readiness: a thread or process could not be started and is started again at once. What needs it
   * is 503 until then.
   */
  workers?: 'starting';
}

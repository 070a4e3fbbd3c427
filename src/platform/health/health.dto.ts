export class HealthDto {
  /** @example 'ok' */
  status: string;

  /**
   * With readiness: the plugins that run in this process.
   * @example ['openai-api', 'sources']
   */
  plugins?: string[];

  /**
   * Only while writes are refused, because commits wait for a synchronous standby of PostgreSQL.
   * Requests that need no write are still answered.
   */
  writes?: 'unavailable';

  /**
   * With readiness: the source of the vectors used for search, `local:` or `endpoint:` and the name of
   * the model; `off` while search compares words only.
   * @example 'local:multilingual-e5-small'
   */
  meaning?: string;

  /**
   * With readiness and `SEARCH_URL`: the state of the search engine. While it is `down`, questions are
   * answered 503.
   */
  search?: 'up' | 'degraded' | 'down';

  /**
   * With readiness: the progress of a model’s installation, while this process installs one.
   * @example 'model.onnx: 25 MB'
   */
  installing?: string;

  /**
   * With readiness: a thread or process could not be started and is being restarted. Requests that need
   * it are answered 503 until then.
   */
  workers?: 'starting';
}

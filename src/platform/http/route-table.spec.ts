import { describe, expect, it } from '@jest/globals';
import { fastify } from 'fastify';
import { RouteTable } from './route-table.js';

describe(RouteTable.name, () => {
  const app = fastify();
  const routes = new RouteTable(app);
  app.get('/kbs/:kb_id', () => '');
  app.get('/v1/models/:model', { config: { formatProblem: () => '' } as object }, () => '');
  app.post('/query', { config: { anyOrigin: true } as object }, () => '');

  it('finds routes by path, whatever the method', () => {
    expect(routes.match('/query?x=/kbs/1')).toEqual([
      expect.objectContaining({ config: expect.objectContaining({ anyOrigin: true }) }),
    ]);
    expect(routes.match('/query/')).toEqual([]);
  });

  it('answers 405 where the path has other methods, and 404 elsewhere', () => {
    const problem = routes.findProblem('/kbs/1?limit=1');
    expect([problem.code, problem.headers]).toEqual(['method_not_allowed', { allow: 'GET, HEAD' }]);
    expect(routes.findProblem('/kbs/1/2').code).toBe('not_found');
    expect(routes.findProblem('/kbs/1/2').remedy).toBeUndefined();
  });

  it('names the paths of a protocol of others', () => {
    for (const url of ['/v1/embeddings?x=1', '/v1', '/v1/', '/v1/models/1/2']) {
      const { code, remedy } = routes.findProblem(url);
      expect([code, remedy]).toEqual(['not_found', 'The paths are: GET /v1/models/:model.']);
    }
  });
});

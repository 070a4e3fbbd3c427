import { channel } from 'node:diagnostics_channel';

/**
 * Loaded into a service with `--import`: writes each route that its router gets, such as
 * `route GET /api/v1/kbs/:kb_id`, and at its end the names that Object.prototype has gained.
 */
channel('fastify.initialization').subscribe((message) => {
  const { fastify } = /** @type {{ fastify: import('fastify').FastifyInstance }} */ (message);
  fastify.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat()) console.log(`route ${one} ${url}`);
  });
});

const before = new Set(Reflect.ownKeys(Object.prototype));

process.on('exit', () => {
  const gained = Reflect.ownKeys(Object.prototype).filter((name) => !before.has(name));
  console.log(`gained by Object.prototype: ${gained.map(String).join() || 'nothing'}`);
});

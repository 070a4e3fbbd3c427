import type { FastifyInstance } from 'fastify';

const PATH = '/open-webui/api/v1/files';

/** Routes the path of uploads with a slash at its end too, which oikb sends and Nest cannot declare. */
export function acceptUploadPath(fastify: FastifyInstance): void {
  fastify.addHook('onRoute', (route) => {
    if (route.url === PATH) fastify.route({ ...route, url: `${PATH}/` });
  });
}

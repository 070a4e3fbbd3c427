import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';

const PATH = '/open-webui/api/v1/files';

/** Routes the path of uploads with a slash at its end too, which oikb sends and Nest cannot declare. */
@Injectable()
export class UploadPath {
  constructor({ httpAdapter }: HttpAdapterHost) {
    const fastify = httpAdapter.getInstance<FastifyInstance>();
    fastify.addHook('onRoute', (route) => {
      if (route.url === PATH) fastify.route({ ...route, url: `${PATH}/` });
    });
  }
}

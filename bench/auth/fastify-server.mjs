// The floor: what HTTP and JSON cost.
import Fastify from 'fastify';
import { served } from './served.mjs';

const text = { type: 'string', minLength: 1, maxLength: 8000 };
const schema = {
  body: {
    type: 'object',
    properties: { api_key: text, message: text },
    required: ['api_key', 'message'],
    additionalProperties: false,
  },
  response: { 200: { type: 'object', properties: { message: text } } },
};

const app = Fastify();
app.post('/echo', { schema }, ({ body }) => ({
  message: /** @type {{ message: string }} */ (body).message,
}));
const url = await app.listen({ port: 0, host: '127.0.0.1' });
served(Number(new URL(url).port));

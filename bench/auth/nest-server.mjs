// One route, validated as the service validates; with the argument "guarded" behind its ApiKeyGuard.
import 'reflect-metadata';
import { createRequire } from 'node:module';
import { Body, Controller, HttpCode, Module, Post, UseGuards } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { IsString, Length } from 'class-validator';
import { fromService } from '../from-service.mjs';
import { served } from './served.mjs';

const guarded = process.argv[2] === 'guarded';

// Before the service loads it: what it imports later are these.
let bcryptRuns = 0;
const bcrypt = createRequire(import.meta.url)('bcrypt');
for (const name of ['compare', 'hash']) {
  const original = bcrypt[name];
  bcrypt[name] = (/** @type {unknown[]} */ ...parameters) => {
    bcryptRuns++;
    return original(...parameters);
  };
}

const { BodyValidationPipe } = await fromService('platform/http/validation.pipe.js');
const { ProblemFilter } = await fromService('platform/http/problem.filter.js');
const { Problem } = await fromService('platform/problems/problem.js');

class EchoDto {
  /** @type {string} */
  api_key;
  /** @type {string} */
  message;
}
IsString()(EchoDto.prototype, 'api_key');
Length(1, 8000)(EchoDto.prototype, 'message');

class EchoController {
  /** @param {EchoDto} body */
  echo({ message }) {
    return { message };
  }
}
const route = /** @type {[object, string, PropertyDescriptor]} */ ([
  EchoController.prototype,
  'echo',
  Object.getOwnPropertyDescriptor(EchoController.prototype, 'echo'),
]);
Controller()(EchoController);
Post('echo')(...route);
HttpCode(200)(...route);
Body()(EchoController.prototype, 'echo', 0);
Reflect.defineMetadata('design:paramtypes', [EchoDto], EchoController.prototype, 'echo');

class EchoModule {}
Module({
  imports: guarded ? await guard() : [],
  controllers: [EchoController],
})(EchoModule);

/** Puts the route behind the service's own guard, which counts uses, within the whole service. */
async function guard() {
  const { ApiKeyGuard } = await fromService('api-keys/api-key.guard.js');
  const { ApiKeysModule } = await fromService('api-keys/api-keys.module.js');
  const { AppModule } = await fromService('app.module.js');
  const { Config } = await fromService('platform/config/config.js');
  const { RequiresScope } = await fromService('api-keys/requires-scope.js');
  UseGuards(ApiKeyGuard)(...route);
  RequiresScope('query')(...route);
  const { loadPlugins } = await fromService('plugins.js');
  const config = Config.fromEnvironment(process.env);
  return [AppModule.forRoot(config, await loadPlugins(config)), ApiKeysModule];
}

const app = await NestFactory.create(EchoModule, new FastifyAdapter(), { logger: ['error'] });
app.useGlobalPipes(new BodyValidationPipe());
app.useGlobalFilters(new ProblemFilter(() => new Problem('not_found')));
await app.listen(0, '127.0.0.1');
served(app.getHttpServer().address().port, {}, () => ({ bcryptRuns }));

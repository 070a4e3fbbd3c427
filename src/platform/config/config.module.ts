import { DynamicModule, Global, Module } from '@nestjs/common';
import { Config } from './config.js';

/** Global, because any feature may read the configuration. */
@Global()
@Module({})
export class ConfigModule {
  static forRoot(config: Config): DynamicModule {
    return {
      module: ConfigModule,
      providers: [{ provide: Config, useValue: config }],
      exports: [Config],
    };
  }
}

import { Global, Module } from '@nestjs/common';
import { Config } from '../config/config.js';
import { Peppers } from './peppers.js';

/** Global, because several features derive keys from the peppers. */
@Global()
@Module({
  providers: [
    { provide: Peppers, inject: [Config], useFactory: (config: Config) => Peppers.load(config) },
  ],
  exports: [Peppers],
})
export class PeppersModule {}

import { Global, Module } from '@nestjs/common';
import { Config } from '../config/config.js';
import { DashboardIdentity } from './dashboard-identity.js';
import { TrustIdentity } from './trust-identity.js';

/** Global, because a guard is made in the module of the controller it guards. */
@Global()
@Module({
  providers: [
    {
      provide: DashboardIdentity,
      inject: [Config],
      useFactory: ({ dashboardAuth }: Config) => new TrustIdentity(dashboardAuth.allowAnyHost),
    },
  ],
  exports: [DashboardIdentity],
})
export class DashboardAuthModule {}

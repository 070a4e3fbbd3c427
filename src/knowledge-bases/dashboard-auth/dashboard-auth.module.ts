import { Global, Module } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import { DashboardIdentity } from './dashboard-identity.js';
import { GatewayIdentity } from './gateway-identity.js';
import { ManagementKeys } from './management-keys.js';
import { TrustIdentity } from './trust-identity.js';

/** It is global because Nest creates a guard in the module of the controller that it guards. */
@Global()
@Module({
  providers: [
    {
      provide: DashboardIdentity,
      inject: [Config, { token: ManagementKeys, optional: true }],
      useFactory: async (
        { dashboardAuth, DASHBOARD_ALLOWED_ORIGINS: origins }: Config,
        keys: ManagementKeys | undefined,
      ): Promise<DashboardIdentity> => {
        switch (dashboardAuth.mode) {
          case 'trust':
            return new TrustIdentity(dashboardAuth.allowAnyHost, origins, keys);
          case 'gateway':
            return new GatewayIdentity(dashboardAuth, origins, keys);
          case 'oidc': {
            const { OidcIdentity } = await import('./oidc-identity.js');
            return new OidcIdentity(dashboardAuth, keys);
          }
        }
      },
    },
  ],
  exports: [DashboardIdentity],
})
export class DashboardAuthModule {}

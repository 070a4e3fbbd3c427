import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { stopTelemetry } from './start-telemetry.js';

/** Sends the last spans when the service stops. */
@Injectable()
export class TelemetryExport implements OnApplicationShutdown {
  onApplicationShutdown(): Promise<void> {
    return stopTelemetry();
  }
}

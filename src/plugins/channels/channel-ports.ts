import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { type ChannelPort, IsChannelPort } from './channel-port.js';
import { CHANNEL_TYPES, type ChannelType } from './channel.entity.js';

/** The ports, by the type of channel. */
@Injectable()
export class ChannelPorts implements OnModuleInit {
  private readonly ports = new Map<ChannelType, ChannelPort>();

  constructor(private readonly discovery: DiscoveryService) {}

  /** @throws Error if a type of channel has no port */
  onModuleInit(): void {
    for (const { instance } of IsChannelPort.find(this.discovery)) {
      this.ports.set(instance.type, instance);
    }
    for (const type of CHANNEL_TYPES) this.get(type);
  }

  get(type: ChannelType): ChannelPort {
    const port = this.ports.get(type);
    if (!port) throw new Error(`Channels of the type ${type} have no port`);
    return port;
  }
}

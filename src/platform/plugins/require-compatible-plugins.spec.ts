import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { Controller, Delete, Get, Module, type Type } from '@nestjs/common';
import { Entity, PrimaryColumn } from 'typeorm';
import type { LoadedPlugin } from './plugin.js';
import { requireCompatiblePlugins } from './require-compatible-plugins.js';

@Controller('things')
class ThingsController {
  @Get()
  list(): void {
    // Only its route is looked at.
  }

  @Get(':thing_id/parts')
  listParts(): void {
    // Only its route is looked at.
  }
}

@Controller()
class PartsController {
  @Get('things/:id/parts')
  list(): void {
    // Only its route is looked at.
  }
}

@Controller('things')
class RemovalController {
  @Delete()
  remove(): void {
    // Only its route is looked at.
  }
}

@Entity('things')
class Thing {
  @PrimaryColumn('varchar') id: string;
}

@Entity('things')
class OtherThing {
  @PrimaryColumn('varchar') id: string;
}

const withRoutes = (controller: Type): Type => {
  @Module({ controllers: [controller] })
  class SomeModule {}
  return SomeModule;
};

@Module({})
class EmptyModule {}

const plugin = (name: string, rest: Partial<LoadedPlugin> = {}): LoadedPlugin => ({
  name,
  module: EmptyModule,
  ...rest,
});

describe(requireCompatiblePlugins, () => {
  it('accepts plugins that have what they need, and routes and tables of their own', () => {
    requireCompatiblePlugins(
      [
        plugin('alpha', { module: withRoutes(ThingsController), entities: [Thing] }),
        plugin('beta', { module: withRoutes(RemovalController), needs: ['alpha'] }),
      ],
      [],
    );
  });

  it('refuses a plugin without one that it needs', () => {
    expect(() => {
      requireCompatiblePlugins([plugin('beta', { needs: ['alpha'] })], []);
    }).toThrow('The plugin beta needs the plugin alpha, which PLUGINS leaves out');
  });

  it('refuses two plugins that claim one route, however they name its parameters', () => {
    expect(() => {
      requireCompatiblePlugins(
        [
          plugin('alpha', { module: withRoutes(ThingsController) }),
          plugin('beta', { module: withRoutes(PartsController) }),
        ],
        [],
      );
    }).toThrow('Both the plugin alpha and the plugin beta claim the route GET things/:/parts');
  });

  it('refuses two plugins that claim one table', () => {
    expect(() => {
      requireCompatiblePlugins(
        [plugin('alpha', { entities: [Thing] }), plugin('beta', { entities: [OtherThing] })],
        [],
      );
    }).toThrow('Both the plugin alpha and the plugin beta claim the table things');
  });

  it('refuses a plugin that claims a table of the core', () => {
    expect(() => {
      requireCompatiblePlugins([plugin('alpha', { entities: [Thing] })], [OtherThing]);
    }).toThrow('Both the core and the plugin alpha claim the table things');
  });
});

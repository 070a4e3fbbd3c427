import { Body, Get, Patch } from '@nestjs/common';
import { Access } from '../access.js';
import { CurrentUser, type DashboardUser } from '../dashboard-auth/dashboard-user.js';
import { DashboardController } from '../dashboard-auth/dashboard-controller.js';
import { IdParam } from '../../platform/http/type-id.js';
import { Operation } from '../../platform/openapi/operation.js';
import { SettingsDto } from './settings.dto.js';
import { UpdateSettingsDto } from './update-settings.dto.js';
import { SettingsEditor } from './settings-editor.js';

@DashboardController('Settings', 'kbs/:kb_id/settings')
export class SettingsController {
  constructor(private readonly settings: SettingsEditor) {}

  /**
   * Get the settings
   * @remarks Returns all settings as they currently apply, whether set or by default.
   */
  @Get()
  @Access('kb', 'viewer', 'settings:write')
  getSettings(
    @CurrentUser() user: DashboardUser,
    @IdParam('kb') kbId: string,
  ): Promise<SettingsDto> {
    return this.settings.get(user, kbId);
  }

  /**
   * Change settings
   * @remarks Changes apply from the next request on. Null restores the default.
   */
  @Patch()
  @Access('kb', 'member', 'settings:write')
  @Operation({ problems: ['owner_required'] })
  updateSettings(
    @CurrentUser() user: DashboardUser,
    @IdParam('kb') kbId: string,
    @Body() dto: UpdateSettingsDto,
  ): Promise<SettingsDto> {
    return this.settings.update(user, kbId, dto);
  }
}

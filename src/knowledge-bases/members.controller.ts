import { Body, Delete, Get, Param, Put, Query } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { CurrentUser, type DashboardUser } from '../dashboard-auth/dashboard-user.js';
import { DashboardController } from '../dashboard-auth/dashboard-controller.js';
import { UserIdPipe } from '../dashboard-auth/user-id.js';
import { Operation } from '../openapi/operation.js';
import { type Page, PageQueryDto } from '../http/page.dto.js';
import { succeeded, SuccessDto } from '../http/success.dto.js';
import { IdParam } from '../http/type-id.js';
import { OwnersOnly } from './access-check.js';
import { MemberDto, PutMemberDto } from './member.dto.js';
import { MembersService } from './members.service.js';

const USER_ID_PARAM = {
  name: 'user_id',
  description: 'As the dashboard’s identity provider names them.',
  schema: {
    type: 'string',
    pattern: '^[\\x21-\\x2b\\x2d-\\x7e]{1,255}$',
    maxLength: 255,
    example: 'bob',
  },
};

@DashboardController('Members', 'kbs/:kb_id/members')
export class MembersController {
  constructor(private readonly members: MembersService) {}

  /**
   * List the members
   * @remarks Every member may use the knowledge base and its keys.
   */
  @Get()
  @Operation({ page: MemberDto })
  listMembers(
    @CurrentUser() user: DashboardUser,
    @IdParam('kb') kbId: string,
    @Query() query: PageQueryDto,
  ): Promise<Page<MemberDto>> {
    return this.members.list(user, kbId, query);
  }

  /**
   * Add a member or change their role
   * @remarks Owners only.
   */
  @Put(':user_id')
  @OwnersOnly()
  @ApiParam(USER_ID_PARAM)
  @Operation({ problems: ['owner_required', 'last_owner'] })
  putMember(
    @CurrentUser() user: DashboardUser,
    @IdParam('kb') kbId: string,
    @Param('user_id', UserIdPipe) userId: string,
    @Body() dto: PutMemberDto,
  ): Promise<MemberDto> {
    return this.members.put(user, kbId, userId, dto.role);
  }

  /**
   * Remove a member
   * @remarks Owners only. The last owner stays.
   */
  @Delete(':user_id')
  @OwnersOnly()
  @ApiParam(USER_ID_PARAM)
  @Operation({ problems: ['owner_required', 'last_owner'] })
  removeMember(
    @CurrentUser() user: DashboardUser,
    @IdParam('kb') kbId: string,
    @Param('user_id', UserIdPipe) userId: string,
  ): Promise<SuccessDto> {
    return succeeded(this.members.remove(user, kbId, userId));
  }
}

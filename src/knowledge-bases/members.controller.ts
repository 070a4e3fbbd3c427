import { Body, Delete, Get, Put, Query } from '@nestjs/common';
import { Access } from './access.js';
import { CurrentUser, type DashboardUser } from './dashboard-auth/dashboard-user.js';
import { DashboardController } from './dashboard-auth/dashboard-controller.js';
import { MemberIdParam } from './dashboard-auth/user-id.js';
import { Operation } from '../platform/openapi/operation.js';
import { type Page, PageQueryDto } from '../platform/http/page.dto.js';
import { succeeded, SuccessDto } from '../platform/http/success.dto.js';
import { IdParam } from '../platform/http/type-id.js';
import { MemberDto, PutMemberDto } from './member.dto.js';
import { MembersService } from './members.service.js';

@DashboardController('Members', 'kbs/:kb_id/members')
export class MembersController {
  constructor(private readonly members: MembersService) {}

  /**
   * List the members
   * @remarks Viewers read; members also use and change the contents of the knowledge base; owners also
   * change members.
   */
  @Get()
  @Access('kb', 'viewer', 'members:write')
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
   * @remarks Only owners can do this. `group:` and a name stands for everybody in that group according to
   * the identity provider. If a user has several roles, the highest applies.
   */
  @Put(':user_id')
  @Access('kb', 'owner', 'members:write')
  @Operation({ problems: ['last_owner'] })
  putMember(
    @CurrentUser() user: DashboardUser,
    @IdParam('kb') kbId: string,
    @MemberIdParam() userId: string,
    @Body() dto: PutMemberDto,
  ): Promise<MemberDto> {
    return this.members.put(user, kbId, userId, dto.role);
  }

  /**
   * Remove a member
   * @remarks Owners can remove anybody; all members can remove themselves. The last owner that is a user,
   * not a group, cannot be removed.
   */
  @Delete(':user_id')
  @Access('kb', 'owner or oneself', 'members:write')
  @Operation({ problems: ['last_owner'] })
  removeMember(
    @CurrentUser() user: DashboardUser,
    @IdParam('kb') kbId: string,
    @MemberIdParam() userId: string,
  ): Promise<SuccessDto> {
    return succeeded(this.members.remove(user, kbId, userId));
  }
}

import type { Answer, Input } from '@carillon/contract/endpoint'
import type { liveAgentEndpoints } from '@carillon/contract/live-agents'
import { Channel } from '@carillon/contract/channels'
import { sql } from 'kysely'
import { z } from 'zod'
import type { UserActor } from '../../../actor.ts'
import type { Db } from '../../../db/pool.ts'
import { createInvitation, revokeInvitation } from '../../users/index.ts'
import { assertMayGive, writeSetup, type AgentSetup } from './agent-setup.ts'
import { ensureAgent } from './availability.ts'
import { getAgent } from './list-agents.ts'

type Invited = Input<(typeof liveAgentEndpoints)['agents.invite']>['body']
type Invitation = { actor: UserActor; wanted: Invited; canMail: boolean; publicUrl: string; now: Date }

/** Invites a person by mail; they become an agent with this setup when they accept. */
export async function inviteAgent(
  db: Db,
  { actor, wanted, ...mail }: Invitation,
): Promise<Answer<(typeof liveAgentEndpoints)['agents.invite']>> {
  const { email, role, name, skills, teamIds, lineIds, maxOpen, perChannel } = wanted
  await assertMayGive(db, { actor, id: undefined, setup: wanted })
  const input = { email, type: role, modules: ['chat' as const], ownBalance: false }
  const { _id: id, link } = await createInvitation(db, { actor, input, ...mail })
  await db
    .insertInto('invited_agents')
    .values({
      organization_id: actor.organizationId,
      invitation_id: id,
      name,
      skills: [...new Set(skills)],
      team_ids: teamIds,
      line_ids: lineIds,
      capacity: maxOpen,
      channel_capacity: JSON.stringify(perChannel),
      created_at: mail.now,
    })
    .execute()
  return { ...(await getAgent(db, { actor, id })), link }
}

/** Returns whether there is such an invitation. */
export async function updateInvited(
  db: Db,
  { actor, id, setup }: { actor: UserActor; id: string; setup: AgentSetup },
): Promise<boolean> {
  if (!(await isInvited(db, actor, id))) return false
  await assertMayGive(db, { actor, id: undefined, setup })
  await db
    .updateTable('invited_agents')
    .set({
      skills: [...new Set(setup.skills)],
      team_ids: setup.teamIds,
      line_ids: setup.lineIds,
      capacity: setup.maxOpen,
      channel_capacity: JSON.stringify(setup.perChannel),
    })
    .where('organization_id', '=', actor.organizationId)
    .where('invitation_id', '=', id)
    .execute()
  return true
}

/** Revokes the invitation. Returns whether there is one. */
export async function removeInvited(
  db: Db,
  { actor, id, now }: { actor: UserActor; id: string; now: Date },
): Promise<boolean> {
  if (!(await isInvited(db, actor, id))) return false
  await revokeInvitation(db, { actor, id, now })
  return true
}

async function isInvited(db: Db, { role, organizationId }: UserActor, id: string): Promise<boolean> {
  if (role !== 'manager') return false
  const { rows } = await sql`
    select from invited_agents invited
    join invitations invitation on invitation.organization_id = invited.organization_id and invitation.id = invited.invitation_id
    where invited.organization_id = ${organizationId}::uuid and invited.invitation_id = ${id}::uuid
      and invitation.accepted_at is null and invitation.revoked_at is null`.execute(db)
  return rows.length > 0
}

const ChannelCapacity = z.partialRecord(Channel, z.number())

/** Makes a person who accepted an invitation the agent that they were invited as. Called in the transaction of the acceptance. */
export async function joinAsAgent(
  db: Db,
  { invitationId, organizationId, accountId }: { invitationId: string; organizationId: string; accountId: string },
): Promise<void> {
  const invited = await db
    .deleteFrom('invited_agents')
    .where('organization_id', '=', organizationId)
    .where('invitation_id', '=', invitationId)
    .returningAll()
    .executeTakeFirst()
  if (!invited) return
  await ensureAgent(db, { organizationId, accountId })
  const setup = {
    skills: invited.skills,
    teamIds: invited.team_ids,
    lineIds: invited.line_ids,
    maxOpen: invited.capacity,
    perChannel: ChannelCapacity.parse(invited.channel_capacity),
  }
  await writeSetup(db, { organizationId, accountId, setup })
  await db
    .updateTable('live_agents')
    .set({ invited_at: invited.created_at })
    .where('organization_id', '=', organizationId)
    .where('account_id', '=', accountId)
    .execute()
}

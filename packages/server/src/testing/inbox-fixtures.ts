import type { Db } from '../db/pool.ts'
import type { Account } from './builders.ts'

type Own = { mark: string; team: string; smsAccount: string; cannedReply: string }

/** The account as an agent, with a team and a canned reply. */
export async function addInbox(db: Db, { id: account_id, organizationId: organization_id }: Account, own: Own) {
  await db
    .insertInto('live_agents')
    .values({ organization_id, account_id, skills: [`Skill ${own.mark}`] })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await db
    .insertInto('teams')
    .values({ organization_id, id: own.team, name: `Team ${own.mark} ${own.team}` })
    .execute()
  await db.insertInto('team_members').values({ organization_id, team_id: own.team, account_id }).execute()
  await db.insertInto('team_lines').values({ organization_id, team_id: own.team, sender_id: own.smsAccount }).execute()
  await db
    .insertInto('canned_replies')
    .values({
      organization_id,
      id: own.cannedReply,
      shortcut: `hello-${own.cannedReply}`,
      text: `Hello from ${own.mark}`,
      created_by: account_id,
    })
    .execute()
}

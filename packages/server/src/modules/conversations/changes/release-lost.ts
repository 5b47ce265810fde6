import { sql } from 'kysely'
import type { Db } from '../../../db/pool.ts'
import { release } from './release-held.ts'

/** The teams of an account, and the lines that it answers; empty lines: all. */
type Places = { account_id: string; teams: string[]; lines: string[] }

type Change = { organizationId: string; accountIds: readonly string[] }

/** Changes teams or lines of members, and unassigns what they hold of teams and lines that they do not answer any more. */
export async function changePlaces(db: Db, of: Change, change: () => Promise<void>): Promise<void> {
  const before = await readPlaces(db, of)
  await change()
  const after = new Map((await readPlaces(db, of)).map((places) => [places.account_id, places]))
  const narrowed = before.flatMap((had) => {
    const has = after.get(had.account_id)
    return has && isNarrower(had, has)
      ? [{ account_id: had.account_id, had_teams: had.teams, had_lines: had.lines, teams: has.teams, lines: has.lines }]
      : []
  })
  if (narrowed.length === 0) return
  await release(
    db,
    sql`
      select held.organization_id, held.id, member.id as holder_id, member.name
      from jsonb_to_recordset(${JSON.stringify(narrowed)}::jsonb)
        as changed (account_id uuid, had_teams uuid[], had_lines uuid[], teams uuid[], lines uuid[])
      join members_of(${of.organizationId}::uuid) member on member.id = changed.account_id and member.role <> 'manager'
      join conversations held on held.organization_id = ${of.organizationId}::uuid and held.assignee_id = member.id
      where ${answers('had_')} and ${answers('')} is not true`,
  )
}

/** As `couldSee` says. */
function answers(prefix: 'had_' | '') {
  const [teams, lines] = [sql.ref(`changed.${prefix}teams`), sql.ref(`changed.${prefix}lines`)]
  return sql<boolean>`(${lines} = '{}' or held.sender_id = any(${lines}) or held.team_id = any(${teams}))`
}

function isNarrower(had: Places, has: Places): boolean {
  const losesTeam = had.teams.some((id) => !has.teams.includes(id))
  const losesLine = had.lines.length === 0 ? has.lines.length > 0 : had.lines.some((id) => !has.lines.includes(id))
  return losesTeam || losesLine
}

async function readPlaces(db: Db, { organizationId, accountIds }: Change): Promise<Places[]> {
  if (accountIds.length === 0) return []
  const { rows } = await sql<Places>`
    select asked.id as account_id, own.teams, array(
      select sender_id from live_agent_lines line where line.organization_id = ${organizationId}::uuid and line.account_id = asked.id
      union select sender_id from team_lines line where line.organization_id = ${organizationId}::uuid and line.team_id = any(own.teams)
    ) as lines
    from unnest(${[...new Set(accountIds)]}::uuid[]) as asked (id)
    cross join lateral (select array(
      select team_id from team_members member
      where member.organization_id = ${organizationId}::uuid and member.account_id = asked.id) as teams) own`.execute(
    db,
  )
  return rows
}

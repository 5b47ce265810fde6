import { asSystem, type Database } from '../../db/pool.ts'
import { eventChannel } from '../../events/domain-events.ts'
import {
  buildAdmin,
  buildDepartmentHead,
  buildManager,
  buildReseller,
  buildUser,
  type Account,
} from '../../testing/builders.ts'
import { chatOf, receive, type Line } from './test-inbox.ts'

let people = 919_812_000_000

/** The number of a person who never wrote. */
export function newPerson(): string {
  people += 1
  return String(people)
}

export type Message = { from?: string; text?: string; at?: Date }

/** Receives messages in one batch; returns the conversations of their authors, who are new unless named. */
export async function receiveChats(database: Database, line: Line, messages: readonly Message[]): Promise<string[]> {
  const written = messages.map((message) => ({ ...message, from: message.from ?? newPerson() }))
  await receive(database, line, ...written)
  database.notifySoon(eventChannel)
  return written.map(({ from }) => chatOf(line, from))
}

export type AgentOptions = {
  availability?: 'online' | 'busy' | 'away' | 'offline'
  capacity?: number
  channelCapacity?: Record<string, number>
  skills?: string[]
  lines?: Line[]
}

/** Makes the account an agent, who has been online for an hour unless the options say otherwise. */
export async function buildAgent(database: Database, account: Account, options: AgentOptions = {}): Promise<void> {
  const { id: account_id, organizationId: organization_id } = account
  const { availability = 'online', capacity = null, channelCapacity = {}, skills = [], lines = [] } = options
  const since = new Date(Date.now() - 3_600_000)
  await asSystem(database, async (db) => {
    await db
      .insertInto('live_agents')
      .values({
        organization_id,
        account_id,
        availability,
        available_since: since,
        goes_offline: false,
        skills,
        capacity,
        channel_capacity: JSON.stringify(channelCapacity),
      })
      .execute()
    await db
      .insertInto('live_agent_spans')
      .values({ organization_id, account_id, availability, began_at: since })
      .execute()
    for (const { senderId: sender_id } of lines)
      await db.insertInto('live_agent_lines').values({ organization_id, account_id, sender_id }).execute()
  })
}

/** Switches automatic assignment on. */
export async function assignAutomatically({ ownerPool }: Database, { organizationId }: Account): Promise<void> {
  await ownerPool.query(
    `insert into inbox_settings (organization_id, assigns_automatically) values ($1, true)
      on conflict (organization_id) do update set assigns_automatically = true`,
    [organizationId],
  )
}

/** A manager, a head with two users, and a user of another head; a manager of another organisation. The head and the users are agents. */
export async function buildStaff(database: Database) {
  const admin = await buildAdmin(database)
  const reseller = await buildReseller(database, { parent: admin })
  const manager = await buildManager(database, { parent: reseller })
  const head = await buildDepartmentHead(database, { parent: manager })
  const otherHead = await buildDepartmentHead(database, { parent: manager })
  const user = await buildUser(database, { parent: head })
  const colleague = await buildUser(database, { parent: head })
  const sibling = await buildUser(database, { parent: otherHead })
  const agents = { head, user, colleague, sibling }
  for (const agent of Object.values(agents)) await buildAgent(database, agent, { availability: 'offline' })
  const foreign = await buildManager(database)
  return { admin, reseller, manager, otherHead, ...agents, foreign }
}
export type Staff = Awaited<ReturnType<typeof buildStaff>>

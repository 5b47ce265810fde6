import type { liveAgentEndpoints } from '@carillon/contract/live-agents'
import type { Handlers } from '../../../http/handlers.ts'
import type { Clock } from '../../../lib/clock.ts'
import { getDay } from '../agents/agent-day.ts'
import { ensureAgent, setAvailability } from '../agents/availability.ts'
import { inviteAgent } from '../agents/invited-agents.ts'
import { getAgent, listAgents, searchAgents } from '../agents/list-agents.ts'
import { getMetrics } from '../agents/metrics.ts'
import { createAgent, removeAgent, updateAgent } from '../agents/write-agent.ts'

export type AgentDeps = {
  clock: Clock
  publicUrl(): string
  /** Whether mail is configured. */
  canMail: boolean
  /** Invalidates cached sessions of a subtree after its permissions changed. */
  forget(path: string): void
}

export function liveAgentHandlers(deps: AgentDeps): Handlers<typeof liveAgentEndpoints> {
  return { ...reads, ...writes(deps) }
}

type Part<Names extends keyof typeof liveAgentEndpoints> = Pick<Handlers<typeof liveAgentEndpoints>, Names>

const reads: Part<'agents.list' | 'agents.search' | 'agents.metrics' | 'agents.day' | 'agents.own'> = {
  'agents.list': ({ db, actor, input }) => listAgents(db, { actor, query: input.query }),
  'agents.search': ({ db, actor, input }) => searchAgents(db, { actor, term: input.query.searchTerm }),
  'agents.metrics': ({ db, actor, input }) => getMetrics(db, { actor, id: input.path.id, period: input.query.period }),
  'agents.day': ({ db, actor, input }) => getDay(db, { actor, id: input.path.id, day: input.query.day }),
  // The first call makes the caller an agent.
  'agents.own': {
    withoutTransaction: ({ scoped, actor }) =>
      scoped(async (db) => {
        await ensureAgent(db, actor)
        return getAgent(db, { actor, id: actor.accountId })
      }),
  },
}

type Writes = 'agents.invite' | 'agents.create' | 'agents.update' | 'agents.setAvailability' | 'agents.remove'

function writes({ clock, publicUrl, canMail, forget }: AgentDeps): Part<Writes> {
  return {
    'agents.invite': ({ db, actor, input }) =>
      inviteAgent(db, { actor, wanted: input.body, canMail, publicUrl: publicUrl(), now: clock.now() }),
    'agents.create': {
      withoutTransaction: async ({ scoped, actor, input }) => {
        const { id, temporaryPassword } = await createAgent(scoped, {
          actor,
          wanted: input.body,
          publicUrl: publicUrl(),
          now: clock.now(),
        })
        forget(actor.scope.path)
        return { ...(await scoped((db) => getAgent(db, { actor, id }))), temporaryPassword }
      },
    },
    'agents.update': async ({ db, actor, input }) => {
      await updateAgent(db, { actor, id: input.path.id, setup: input.body })
      return getAgent(db, { actor, id: input.path.id })
    },
    'agents.setAvailability': async ({ db, actor, input }) => {
      await setAvailability(db, { actor, id: input.path.id, autoOffline: input.body.autoOffline, ...input.body })
      return getAgent(db, { actor, id: input.path.id })
    },
    'agents.remove': async ({ db, actor, input, afterCommit }) => {
      await removeAgent(db, { actor, id: input.path.id, now: clock.now() })
      afterCommit(() => forget(actor.scope.path))
      return {}
    },
  }
}

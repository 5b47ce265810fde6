import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Simulation } from '../simulation.ts'
import { type AnalyticsCounts, createAnalyticsCounts } from './analytics-counts.ts'
import { createLimits, type Limits } from './limits.ts'
import { createMessageLog, type MessageLog } from './message-log.ts'
import { createMeta, type Meta } from './meta.ts'
import type { Row, Token } from './objects.ts'
import { createOutbox, type Outbox } from './outbox.ts'
import { defaultSettings, type GraphSettings } from './settings.ts'
import { createTyping, type Typing } from './typing.ts'
import { createWindows, type Windows } from './windows.ts'

/** The simulated Meta: objects, messages and webhooks. */
export type Graph = {
  simulation: Simulation
  meta: Meta
  settings: GraphSettings
  messages: MessageLog
  windows: Windows
  typing: Typing
  limits: Limits
  outbox: Outbox
  analytics: AnalyticsCounts
  /** Deletes messages; accounts, numbers, templates and subscriptions remain. */
  reset: () => void
  close: () => Promise<void>
}

/** Returned by calls that have already written the response. */
export const answered = Symbol('answered')

/** An authenticated API call. */
export type Call = {
  graph: Graph
  /** Major version, such as 24. */
  version: number
  versionText: string
  token: Token
  query: Record<string, string>
  body: Row
  /** A raw body that is neither JSON nor a form. */
  bytes: Buffer | undefined
  request: FastifyRequest
  reply: FastifyReply
}

export function createGraph(simulation: Simulation, changes: Partial<GraphSettings> = {}): Graph {
  const initial = { ...defaultSettings, ...changes }
  const settings = { ...initial }
  const meta = createMeta()
  const graph: Graph = {
    simulation,
    meta,
    settings,
    messages: createMessageLog(),
    windows: createWindows(),
    typing: createTyping(),
    limits: createLimits(settings),
    outbox: createOutbox({ simulation, meta, settings }),
    analytics: createAnalyticsCounts(),
    reset() {
      Object.assign(settings, initial)
      graph.messages.clear()
      graph.windows.clear()
      graph.typing.clear()
      graph.limits.reset()
      graph.outbox.reset()
      graph.analytics.clear()
    },
    close: () => graph.outbox.close(),
  }
  return graph
}

import type { LegEntrance } from '../messages/index.ts'
import { fateOf } from './fates.ts'
import type { TestMessage } from './events-of.ts'

type NextLeg = { /** Index of the leg. */ leg: number; reason: string; at: Date }

/** The leg that follows a message, and when, as its number decides how it ends; undefined if it arrives. */
export function findNextLeg(message: TestMessage, entrances: readonly LegEntrance[]): NextLeg | undefined {
  const { phone, leg: own, createdAt, sendAt } = message
  const begin = (sendAt ?? createdAt).getTime()
  const { steps } = fateOf({ phone, isLeg: own !== undefined })
  for (const step of steps) {
    if (step.status !== 'failed') continue
    const leg = entrances.findIndex(({ reasons }) => reasons.includes(step.reason))
    return leg === -1 ? undefined : { leg, reason: step.reason, at: new Date(begin + step.afterMs) }
  }
  const leg = entrances.findIndex(({ afterSeconds }) => afterSeconds !== null)
  const entrance = entrances[leg]
  if (!entrance) return undefined
  const dueMs = (steps[0]?.afterMs ?? 0) + (entrance.afterSeconds ?? 0) * 1000
  const isInTime = steps.some(({ status, afterMs }) => afterMs <= dueMs && reaches(status, entrance.unless))
  return isInTime ? undefined : { leg, reason: 'not_delivered_in_time', at: new Date(begin + dueMs) }
}

function reaches(status: string, wanted: LegEntrance['unless']): boolean {
  return status === 'read' || status === wanted
}

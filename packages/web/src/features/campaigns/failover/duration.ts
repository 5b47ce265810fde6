import { countOf } from '../../../lib/format.ts'

const units = [
  { name: 'day', seconds: 86_400 },
  { name: 'hour', seconds: 3600 },
  { name: 'minute', seconds: 60 },
  { name: 'second', seconds: 1 },
] as const

export type DurationUnit = (typeof units)[number]

export const durationUnits: readonly DurationUnit[] = units.toReversed()

/** The largest unit of which the duration is a multiple. */
export function unitOf(seconds: number): DurationUnit {
  return units.find((unit) => seconds >= unit.seconds && seconds % unit.seconds === 0) ?? units[3]
}

/** '10 minutes'. */
export function durationLabel(seconds: number): string {
  const { name, seconds: one } = unitOf(seconds)
  return countOf(seconds / one, name)
}

import type { Channel } from '@carillon/contract/channels'
import { channelTraits } from '@carillon/contract/channels/table'
import type { DraftLeg } from '@carillon/contract/draft-legs'
import type { LegEditor } from '../../../channels/channel-campaigns.ts'
import { blankLeg, firstConditions, type Legs } from '../wizard/draft-legs.ts'

type Edited = { channel: Channel; editor: Pick<LegEditor, 'emptyValues' | 'outcomes'> }

/** Channels of a new campaign: those that can fail over to the most others first. */
export function usualOrder<One extends { channel: Channel }>(all: readonly One[]): One[] {
  return all.toSorted((a, b) => failoverTo(b).length - failoverTo(a).length)
}

/** Legs over these channels in this order, with the usual conditions. */
export function blankLegs(edited: readonly [Edited, ...Edited[]]): Legs {
  const [first, ...others] = edited
  return arranged([{ ...blankLeg(first), isEnabled: true }, ...others.map((one) => blankLeg(one))], edited)
}

/** Why a leg cannot be moved to a place; undefined if it can. */
export function moveProblem(legs: Legs, from: number, to: number): string | undefined {
  return orderProblem(moved(legs, from, to))
}

export function moveLeg(
  legs: Legs,
  { from, to, edited }: { from: number; to: number; edited: readonly Edited[] },
): Legs {
  return arranged(moved(legs, from, to), edited)
}

/** Adds a channel as far back as the order allows. */
export function addLeg(legs: Legs, channel: Channel, edited: readonly Edited[]): Legs {
  const added = edited.find((one) => one.channel === channel)
  if (!added) return legs
  const places = [...legs.keys(), legs.length].toReversed()
  const candidates = places.map((place) => [...legs.slice(0, place), blankLeg(added), ...legs.slice(place)])
  const found = candidates.find((order) => orderProblem(order) === undefined)
  return found ? arranged(found, edited) : legs
}

/** Removes a leg; the only one stays. */
export function removeLeg(legs: Legs, channel: Channel, edited: readonly Edited[]): Legs {
  return arranged(
    legs.filter((leg) => leg.channel !== channel),
    edited,
  )
}

function moved(legs: readonly DraftLeg[], from: number, to: number): DraftLeg[] {
  const moving = legs[from]
  return moving ? legs.toSpliced(from, 1).toSpliced(to, 0, moving) : [...legs]
}

function orderProblem(legs: readonly DraftLeg[]): string | undefined {
  const place = legs.findIndex((leg, index) => {
    const next = legs[index + 1]
    return next !== undefined && !failoverTo(leg).includes(next.channel)
  })
  const [before, next] = [legs[place], legs[place + 1]]
  return (
    before && next && `${channelTraits[before.channel].label} cannot fail over to ${channelTraits[next.channel].label}`
  )
}

/**
 * The first leg is sent to everyone, the others under conditions. Conditions that the leg before does not have are removed; a leg
 * left without any gets the usual ones.
 */
function arranged(order: readonly DraftLeg[], edited: readonly Edited[]): Legs {
  const [first, ...others] = order
  if (!first) throw new Error('A campaign has at least one leg')
  const later = others.map((leg, index): DraftLeg => {
    const before = order[index]?.channel ?? first.channel
    const outcomes = edited.find(({ channel }) => channel === before)?.editor.outcomes('')
    const isKnown = ({ type }: DraftLeg['entryConditions'][number]) =>
      outcomes?.some((one) => one.type === type) ?? true
    const kept = leg.entryConditions.filter(isKnown)
    return { ...leg, isEnabled: true, entryConditions: kept.length > 0 ? kept : firstConditions.filter(isKnown) }
  })
  return [{ ...first, isEnabled: true, entryConditions: [] }, ...later]
}

function failoverTo({ channel }: { channel: Channel }): readonly Channel[] {
  return channelTraits[channel].failoverTo
}

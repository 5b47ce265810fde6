import type { Channel } from '@carillon/contract/channels'
import type { LiveAgent } from '@carillon/contract/live-agents'

/** What the form of an agent contains; numbers as typed. */
export type SetupDraft = {
  skills: string
  teamIds: readonly string[]
  lineIds: readonly string[]
  maxOpen: string
  perChannel: Partial<Record<Channel, string>>
}

export const emptySetup: SetupDraft = { skills: '', teamIds: [], lineIds: [], maxOpen: '', perChannel: {} }

export function draftOf({ skills, teams, inboxes, capacity }: LiveAgent): SetupDraft {
  return {
    skills: skills.join(', '),
    teamIds: teams.map(({ _id }) => _id),
    lineIds: inboxes.map(({ _id }) => _id),
    maxOpen: capacity.maxOpen === null ? '' : String(capacity.maxOpen),
    perChannel: Object.fromEntries(
      Object.entries(capacity.perChannel).map(([channel, most]) => [channel, String(most)]),
    ),
  }
}

/** The body of a call. Texts that are no numbers are rejected by the server, with an error of the field. */
export function setupOf({ skills, teamIds, lineIds, maxOpen, perChannel }: SetupDraft) {
  return {
    skills: skills
      .split(/[,\n]/)
      .map((skill) => skill.trim())
      .filter(Boolean),
    teamIds: [...teamIds],
    lineIds: [...lineIds],
    maxOpen: numberOf(maxOpen),
    perChannel: Object.fromEntries(
      Object.entries(perChannel).flatMap(([channel, typed]) => {
        const most = numberOf(typed)
        return most === null ? [] : [[channel, most]]
      }),
    ),
  }
}

/** Null for an empty text. */
export function numberOf(typed: string): number | null {
  if (typed.trim() === '') return null
  return /^\d{1,9}$/.test(typed.trim()) ? Number(typed) : notANumber
}

/** Out of every range. */
const notANumber = -1

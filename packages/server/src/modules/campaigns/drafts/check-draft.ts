import { channelTraits } from '@carillon/contract/channels/table'
import type { CampaignDraft, DraftLeg } from '@carillon/contract/draft-legs'
import { messages } from '@carillon/contract/errors'
import type { UserActor } from '../../../actor.ts'
import { getChannel } from '../../../channels/index.ts'
import { issueMessage } from '../../../lib/issue-message.ts'
import { badField, Problem } from '../../../lib/problem.ts'

/** A sent draft with the values of each leg parsed by its channel's rules. */
export function checkDraft(draft: CampaignDraft, actor: Pick<UserActor, 'role'>): CampaignDraft {
  const [first, ...others] = draft.legs
  for (const [index, leg] of draft.legs.entries()) assertSupported(leg, index)
  assertMayEdit(draft, actor)
  if (!first.isEnabled) throw badField('legs.0.isEnabled', 'The first message is always sent')
  if (first.entryConditions.length > 0)
    throw badField('legs.0.entryConditions', 'The first message is sent to everyone, without conditions')
  for (const [index, leg] of others.entries())
    assertFollows(leg, { before: draft.legs[index] ?? first, index: index + 1 })
  assertSendersDiffer(draft)
  return parseLegs(draft)
}

export function parseLegs(draft: CampaignDraft): CampaignDraft {
  const [first, ...others] = draft.legs
  return { ...draft, legs: [parseValues(first, 0), ...others.map((leg, index) => parseValues(leg, index + 1))] }
}

/** Each channel has its own roles that may create campaigns on it. */
export function assertMayEdit({ legs }: Pick<CampaignDraft, 'legs'>, { role }: Pick<UserActor, 'role'>): void {
  if (!legs.every(({ channel }) => channelTraits[channel].campaignRoles.includes(role)))
    throw new Problem('forbidden', messages.notAuthorized)
}

function assertSupported({ channel }: DraftLeg, index: number) {
  const { isSupported, label } = channelTraits[channel]
  if (!isSupported) throw badField(`legs.${index}.channel`, `Campaigns cannot be sent over ${label} yet`)
}

function assertFollows({ channel }: DraftLeg, { before, index }: { before: DraftLeg; index: number }) {
  const { label, failoverTo } = channelTraits[before.channel]
  if (!failoverTo.includes(channel))
    throw badField(
      `legs.${index}.channel`,
      `A campaign cannot fail over from ${label} to ${channelTraits[channel].label}`,
    )
}

/** A second message from the same sender reaches no additional recipients. */
function assertSendersDiffer({ legs }: CampaignDraft) {
  for (const [index, { senderId }] of legs.entries()) {
    const first = legs.findIndex((leg) => senderId !== null && leg.senderId === senderId)
    if (first !== -1 && first < index)
      throw badField(`legs.${index}.senderId`, `Message ${first + 1} has the same sender: choose another one`)
  }
}

function parseValues(leg: DraftLeg, index: number): DraftLeg {
  const parsed = getChannel(leg.channel).values.safeParse(leg.values, { error: issueMessage })
  if (parsed.success) return { ...leg, values: parsed.data }
  const details = parsed.error.issues.map(({ path, message }) => ({
    field: ['legs', index, 'values', ...path].join('.'),
    message,
  }))
  throw new Problem('bad_request', details[0]?.message ?? 'Invalid request', { details })
}

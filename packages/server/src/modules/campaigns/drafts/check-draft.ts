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
  for (const [index, leg] of draft.legs.entries()) assertSupported(leg, `legs.${index}`)
  for (const [index, leg] of (draft.abTest?.variants ?? []).entries()) assertVariant(leg, `abTest.variants.${index}`)
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
  return {
    ...draft,
    legs: [parseValues(first, 'legs.0'), ...others.map((leg, index) => parseValues(leg, `legs.${index + 1}`))],
    abTest: draft.abTest && {
      ...draft.abTest,
      variants: draft.abTest.variants.map((leg, index) => parseValues(leg, `abTest.variants.${index}`)),
    },
  }
}

/** Each channel has its own roles that may create campaigns on it. */
export function assertMayEdit(
  { legs, abTest }: Pick<CampaignDraft, 'legs' | 'abTest'>,
  { role }: Pick<UserActor, 'role'>,
): void {
  if (
    ![...legs, ...(abTest?.variants ?? [])].every(({ channel }) => channelTraits[channel].campaignRoles.includes(role))
  )
    throw new Problem('forbidden', messages.notAuthorized)
}

function assertSupported({ channel }: DraftLeg, field: string) {
  const { isSupported, label } = channelTraits[channel]
  if (!isSupported) throw badField(`${field}.channel`, `Campaigns cannot be sent over ${label} yet`)
}

function assertVariant(leg: DraftLeg, field: string) {
  assertSupported(leg, field)
  if (!leg.isEnabled) throw badField(`${field}.isEnabled`, 'Every message of a test is sent')
  if (leg.entryConditions.length > 0)
    throw badField(`${field}.entryConditions`, 'A message of a test is sent without conditions')
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

function parseValues(leg: DraftLeg, place: string): DraftLeg {
  const parsed = getChannel(leg.channel).values.safeParse(leg.values, { error: issueMessage })
  if (parsed.success) return { ...leg, values: parsed.data }
  const details = parsed.error.issues.map(({ path, message }) => ({
    field: [place, 'values', ...path].join('.'),
    message,
  }))
  throw new Problem('bad_request', details[0]?.message ?? 'Invalid request', { details })
}

import type { Channel } from '@carillon/contract/channels'
import type { Rendered } from '../../../channels/channel.ts'
import { getChannel } from '../../../channels/index.ts'
import { createAppendLinks } from '../../links/index.ts'
import type { LegKey } from './record-results.ts'
import { createReferences } from '../reference.ts'
import { run, type Queryable, type Statement } from '../statements.ts'

/** A campaign's leg, ready to send: compiled content and terms. */
export type Leg = LegKey & {
  audienceId: string
  /** The campaign's number of pauses when the leg was read. */
  runEpoch: number
  expiresAt: Date
  /** Validity period of each message. */
  ttlSeconds: number | null
  /** Recipients of another campaign's message within these hours are skipped. */
  skipRecentHours: number | null
  /** Messages on every channel count for that. */
  skipRecentOnAny: boolean
  /** People who reached the organisation's cap get it nevertheless. */
  ignoresCap: boolean
  /** Opt-outs from marketing apply to it as well. */
  isMarketing: boolean
  /** Recipients enter it from an earlier leg. */
  isEntered: boolean
  /** From this status of an earlier message on, a recipient does not need this leg. */
  enterUnless: 'delivered' | 'read'
  /** The message for a recipient, or undefined when a variable has no value. */
  render(recipient: { seq: number; variables: readonly string[] }): Rendered | undefined
  /** Our reference of a message, from its position in the audience. */
  referenceOf(seq: number): string
}

const find: Statement = {
  name: 'find-leg',
  text: `
  select leg.sender_id as "senderId", leg.channel, leg.content, leg.price, leg.billable_on as "billableOn", leg.is_marketing as "isMarketing", leg.ttl_seconds as "ttlSeconds",
    leg.enter_reasons <> '{}' or leg.enter_after_seconds is not null as "isEntered", leg.enter_unless as "enterUnless",
    campaign.audience_id as "audienceId", campaign.created_on as "createdOn", campaign.created_by as "accountId",
    campaign.hold_id as "holdId", campaign.skip_recent_hours as "skipRecentHours", campaign.skip_recent_on_any as "skipRecentOnAny", campaign.ignores_cap as "ignoresCap",
    exists (select from campaign_legs next where next.organization_id = $1 and next.campaign_id = $2 and next.leg > $3
      and (next.enter_reasons <> '{}' or next.enter_after_seconds is not null)
      and (next.lo is null or leg.lo is null or (next.lo < leg.hi and next.hi > leg.lo))) as "hasNext",
    campaign_end($1, $2) as "expiresAt"
  from campaigns campaign
  join campaign_legs leg on leg.organization_id = campaign.organization_id and leg.campaign_id = campaign.id
  where campaign.organization_id = $1 and campaign.id = $2 and leg.leg = $3`,
}

type LegRow = {
  senderId: string
  channel: Channel
  content: unknown
  price: number
  billableOn: 'sent' | 'delivered'
  audienceId: string
  createdOn: string
  accountId: string
  holdId: string | null
  hasNext: boolean
  expiresAt: Date
  ttlSeconds: number | null
  skipRecentHours: number | null
  skipRecentOnAny: boolean
  ignoresCap: boolean
  isMarketing: boolean
  isEntered: boolean
  enterUnless: 'delivered' | 'read'
}

export async function getLeg(
  db: Queryable,
  key: { organizationId: string; campaignId: string; leg: number; runEpoch: number },
): Promise<Leg> {
  const [row] = await run<LegRow>(db, find, [key.organizationId, key.campaignId, key.leg])
  if (!row) throw new Error(`Campaign ${key.campaignId} has no leg ${key.leg}`)
  const [compiled, withLinks] = [getChannel(row.channel).compileLeg(row.content), createAppendLinks(row.content)]
  const render: Leg['render'] = ({ seq, variables }) => compiled(withLinks(variables, seq))
  return { ...key, ...row, render, referenceOf: createReferences(key) }
}

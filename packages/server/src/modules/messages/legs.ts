import type { Channel } from '@carillon/contract/channels'
import { VariableSource } from '@carillon/contract/campaign-records'
import { compileSmsTemplate, listVariableKinds } from '@carillon/contract/sms-variables'
import { z } from 'zod'
import type { LegKey } from './chunks.queries.ts'
import { valueOf } from './fill-template.ts'
import { run, type Queryable, type Statement } from './statements.ts'

/** What a leg sends, as it was frozen when the campaign was validated. */
const LegContent = z.object({
  header: z.string(),
  body: z.string(),
  variables: z.array(VariableSource).default([]),
  entityId: z.string().nullish(),
  dltTemplateId: z.string().nullish(),
})

/** A campaign's leg, ready to send: its template compiled, its terms known. */
export type Leg = LegKey & {
  audienceId: string
  expiresAt: Date
  header: string
  entityId: string | undefined
  dltTemplateId: string | undefined
  /** The text for a row of the audience, or undefined when a variable has no value. */
  render(variables: readonly string[]): string | undefined
}

const find: Statement = {
  name: 'find-leg',
  text: `
  select leg.sender_id as "senderId", leg.channel, leg.content, leg.price, leg.billable_on as "billableOn",
    campaign.audience_id as "audienceId", campaign.created_on as "createdOn", campaign.created_by as "accountId",
    campaign.hold_id as "holdId",
    coalesce(campaign.expires_at, coalesce(campaign.started_at, now()) + interval '3 days') as "expiresAt"
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
  expiresAt: Date
}

export async function getLeg(
  db: Queryable,
  key: { organizationId: string; campaignId: string; leg: number },
): Promise<Leg> {
  const [row] = await run<LegRow>(db, find, [key.organizationId, key.campaignId, key.leg])
  if (!row) throw new Error(`Campaign ${key.campaignId} has no leg ${key.leg}`)
  const content = LegContent.parse(row.content)
  return {
    ...key,
    ...row,
    header: content.header,
    entityId: content.entityId ?? undefined,
    dltTemplateId: content.dltTemplateId ?? undefined,
    render: compileLeg(content.body, content.variables),
  }
}

/** Puts a row's values into the template, each from its column, cut or replaced as the campaign says. */
export function compileLeg(
  body: string,
  sources: readonly VariableSource[],
): (variables: readonly string[]) => string | undefined {
  const fill = compileSmsTemplate(body)
  const count = listVariableKinds(body).length
  if (count === 0) return () => fill([])
  return (variables) => {
    const values: string[] = []
    for (let index = 0; index < count; index += 1) {
      const value = valueOf(sources[index], variables)
      if (value === '') return undefined
      values.push(value)
    }
    return fill(values)
  }
}

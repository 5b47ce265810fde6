import { LegResult } from '@carillon/contract/campaign-records'
import type { CampaignDetail } from '@carillon/contract/campaigns'
import { expect } from 'vitest'
import type { WhatsappServer } from './whatsapp-server.ts'

/** Compares every number of a campaign's legs with the recipients that are listed and downloaded for it. */
export async function assertListed(
  { ask, server, manager }: Pick<WhatsappServer, 'ask' | 'server' | 'manager'>,
  { _id: id, legs, both }: CampaignDetail,
): Promise<void> {
  const filters = [
    ...legs.flatMap((leg) =>
      LegResult.options.map((result) => ({ query: { leg: leg.leg, result }, count: leg[result] })),
    ),
    { query: { both: 'true' as const }, count: both },
  ]
  for (const { query, count } of filters) {
    const listed = await ask('campaigns.responses', { query: { campaignId: id, limit: 100, ...query } })
    const file = await server.call('reports.campaignNumbers', { as: manager, path: { id }, query })
    expect({
      query,
      total: listed.total,
      listed: listed.responses.length,
      rows: file.text.trim().split('\r\n').length - 1,
    }).toEqual({ query, total: count, listed: Math.min(100, count), rows: count })
  }
}

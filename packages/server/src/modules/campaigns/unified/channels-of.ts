import { Channel } from '@carillon/contract/channels'
import { sql } from 'kysely'
import { z } from 'zod'

/** The channels of the draft's enabled legs in order, as a column of a query on `campaigns`. */
export const draftChannels = sql<unknown>`jsonb_path_query_array(campaigns.draft, '$.legs[*] ? (@.isEnabled == true).channel')`

/** Retries and prices by country are legs as well, so a channel may follow itself. */
export function parseChannels(stored: unknown): Channel[] {
  return [...new Set(z.array(Channel).parse(stored))]
}

import type { CampaignResponse } from '@carillon/contract/campaign-records'
import type { ResponsePage } from '@carillon/contract/campaigns'
import type { z } from 'zod'
import type { Db } from '../../../db/pool.ts'
import type { Scope } from '../../../db/scope.ts'
import { badField } from '../../../lib/problem.ts'
import {
  listResponses,
  searchNumber,
  type RecipientFilter,
  type Response,
  type ResponseList,
} from '../../messages/index.ts'
import { getCampaign } from '../campaigns.queries.ts'
import { adviseOn } from './failure-advice.ts'

type Page = z.input<typeof ResponsePage>

export type ResponseFilter = RecipientFilter & {
  campaignId: string
  scope: Scope
  page: number
  limit: number
  after?: number | undefined
  number?: string | undefined
}

/** A campaign's recipients in file order, each with the status of its message and advice on failures. */
export async function listCampaignResponses(db: Db, { campaignId, scope, ...filter }: ResponseFilter): Promise<Page> {
  assertRecipientFilter(filter)
  const { organization_id: organizationId } = await getCampaign(db, { id: campaignId, scope })
  return presentPage(await listResponses(db, { organizationId, campaignId, ...filter }), filter)
}

/** Recipients whose number is, begins with or contains the digits. */
export async function searchCampaignNumber(
  db: Db,
  { campaignId, scope, ...filter }: ResponseFilter & { number: string },
): Promise<Page> {
  const { organization_id: organizationId } = await getCampaign(db, { id: campaignId, scope })
  return presentPage(await searchNumber(db, { organizationId, campaignId, ...filter }), filter)
}

/** Results that only a leg has a number for. */
const ofLegOnly: readonly unknown[] = ['starters', 'entered', 'expired']

export function assertRecipientFilter({ leg, result, both }: RecipientFilter) {
  if (ofLegOnly.includes(result) && leg === undefined) throw badField('leg', 'Required with this result')
  if (both && (leg !== undefined || result)) throw badField('both', 'Cannot be combined with a leg or a result')
}

function presentPage({ responses, total }: ResponseList, { page, limit }: { page: number; limit: number }): Page {
  return {
    responses: responses.map(withAdvice),
    total,
    totalPages: Math.max(1, Math.ceil(total / limit)),
    currentPage: page,
  }
}

function withAdvice(response: Response): CampaignResponse {
  if (!response.reason) return response
  const { title, advice } = adviseOn(response.reason, response.channel)
  return { ...response, advice: `${title}. ${advice}` }
}

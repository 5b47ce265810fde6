import { messagingTiers } from '@carillon/contract/channels/whatsapp/whatsapp-accounts'
import { Refusal, type LineFacts, type Lines } from '../../management.ts'
import type { Graph } from './graph.ts'
import { rowOf, rowsOf, stringOf, type Row } from '../../read-json.ts'
import { qualityOf } from './webhook-template.ts'

const fields = [
  'id',
  'display_phone_number',
  'verified_name',
  'quality_rating',
  'name_status',
  'status',
  'throughput',
  'messaging_limit_tier',
  'whatsapp_business_manager_messaging_limit',
  'account_mode',
  'platform_type',
  'is_on_biz_app',
].join(',')

/** Maximum pages; more indicates a paging loop. */
const mostPages = 50

/** All pages of a Graph edge. */
export async function listAll(graph: Graph, path: string, query: Record<string, string>): Promise<Row[]> {
  const found: Row[] = []
  let after: string | undefined
  for (let page = 0; page < mostPages; page += 1) {
    const answer = await graph({ path, query: { ...query, after } })
    found.push(...rowsOf(answer['data']))
    after = nextOf(answer)
    if (after === undefined) return found
  }
  return found
}

/** The cursor of the next page; the last page has cursors but no `next`. */
export function nextOf(answer: Row): string | undefined {
  const paging = rowOf(answer['paging'])
  return paging['next'] === undefined ? undefined : stringOf(rowOf(paging['cursors'])['after'])
}

export function lineCalls(graph: Graph, wabaId: string): Required<Lines> {
  return {
    async list() {
      const [limitGroup, rows] = await Promise.all([
        findPortfolio(graph, wabaId),
        listAll(graph, `${wabaId}/phone_numbers`, { fields, limit: '100' }),
      ])
      return rows.flatMap((row) => readLine(row, limitGroup))
    },
    async register(lineId, pin) {
      await graph({
        method: 'POST',
        path: `${encodeURIComponent(lineId)}/register`,
        json: { messaging_product: 'whatsapp', pin },
      })
    },
    async markRead(lineId, { id, isTyping }) {
      const typing = isTyping ? { typing_indicator: { type: 'text' } } : {}
      await graph({
        method: 'POST',
        path: `${encodeURIComponent(lineId)}/messages`,
        json: { messaging_product: 'whatsapp', status: 'read', message_id: id, ...typing },
      })
    },
  }
}

/**
 * Owner of the daily messaging limit: since October 2025 the business portfolio, for all its accounts. If the token may not
 * read it, the account itself.
 */
async function findPortfolio(graph: Graph, wabaId: string): Promise<string> {
  try {
    const row = await graph({ path: wabaId, query: { fields: 'owner_business_info{id}' } })
    return stringOf(rowOf(row['owner_business_info'])['id']) ?? wabaId
  } catch (error) {
    if (error instanceof Refusal && error.kind !== 'passing' && error.kind !== 'limit') return wabaId
    throw error
  }
}

function readLine(row: Row, limitGroup: string): LineFacts[] {
  const id = stringOf(row['id'])
  if (id === undefined) return []
  return [
    {
      id,
      displayNumber: stringOf(row['display_phone_number']) ?? '',
      name: stringOf(row['verified_name']) ?? '',
      nameStatus: stringOf(row['name_status']) ?? 'NONE',
      quality: qualityOf(row['quality_rating']),
      status: stringOf(row['status']) ?? 'UNKNOWN',
      messagingLimit: limitOf(row['whatsapp_business_manager_messaging_limit'] ?? row['messaging_limit_tier']),
      limitGroup,
      ratePerSecond: rateOf(row),
      mode: stringOf(row['account_mode']) === 'SANDBOX' ? 'sandbox' : 'live',
    },
  ]
}

/** The initial limit of a business, assumed if Meta reports none. */
const firstLimit = 250

function limitOf(value: unknown): number | null {
  const tier = stringOf(value) ?? stringOf(rowOf(value)['tier']) ?? ''
  if (tier === 'TIER_UNLIMITED') return null
  const known = Object.entries(messagingTiers).find(([name]) => name === tier)?.[1]
  if (known !== undefined) return known
  const [, count, isThousands] = /^TIER_(\d+)(K?)$/.exec(tier) ?? []
  return count === undefined ? firstLimit : Number(count) * (isThousands === 'K' ? 1000 : 1)
}

/** Sent and received together. A number that is also in the Business app has a lower rate. */
function rateOf(row: Row): number {
  if (row['is_on_biz_app'] === true) return 20
  return stringOf(rowOf(row['throughput'])['level']) === 'HIGH' ? 1000 : 80
}

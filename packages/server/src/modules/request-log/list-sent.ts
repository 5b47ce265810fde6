import { paginate, type PageQuery, type Pagination } from '@carillon/contract/paging'
import type { PublicMessage } from '@carillon/contract/public-message-records'
import type { ApiSendMessage } from '@carillon/contract/request-log-records'
import type { Db } from '../../db/pool.ts'
import { findMessages } from '../public-api/index.ts'
import { findTestMessages } from '../sandbox/index.ts'
import type { RequestRow } from './find-requests.ts'

type Reading = { request: RequestRow; query: PageQuery; now: Date }

/** The messages of a request in its order. Those that are no longer stored are missing. */
export async function listSent(
  db: Db,
  { request, query, now }: Reading,
): Promise<{ data: ApiSendMessage[]; pagination: Pagination }> {
  const { page, limit } = query
  const ids = request.message_ids.slice((page - 1) * limit, page * limit)
  const place = { organizationId: request.organization_id, ids }
  const found =
    request.environment === 'test' ? await findTestMessages(db, { ...place, now }) : await findMessages(db, place)
  const byId = new Map(found.map((message) => [message.id, message]))
  return {
    data: ids.flatMap((id) => {
      const message = byId.get(id)
      return message ? [present(message, request.id)] : []
    }),
    pagination: paginate(query, request.message_ids.length),
  }
}

function present({ parts, ...message }: PublicMessage, requestId: string): ApiSendMessage {
  return { ...message, requestId, segments: parts }
}

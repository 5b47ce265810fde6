import { Readable } from 'node:stream'
import type { Answer } from '@carillon/contract/endpoint'
import { paginate, type PageQuery } from '@carillon/contract/paging'
import type { replyEndpoints } from '@carillon/contract/replies'
import type { Db } from '../../../db/pool.ts'
import type { UserActor } from '../../../actor.ts'
import type { FileAnswer, Handlers } from '../../../http/handlers.ts'
import { byteOrderMark, csvLine } from '../../../lib/csv-write.ts'
import { createLocalTime } from '../../../lib/local-time.ts'
import { listReplies, readAllReplies } from '../../messages/index.ts'
import { getCampaign } from '../campaigns.queries.ts'

type ReplyQuery = { actor: UserActor; id: string; search: string | undefined }

/** More than anyone reads in a spreadsheet. */
const mostExported = 100_000

export const replyHandlers: Handlers<typeof replyEndpoints> = {
  'replies.list': ({ db, actor, input }) =>
    listCampaignReplies(db, { actor, id: input.path.id, search: input.query.search }, input.query),
  'replies.csv': ({ db, actor, input }) =>
    downloadReplies(db, { actor, id: input.path.id, search: input.query.search }),
}

async function listCampaignReplies(
  db: Db,
  query: ReplyQuery,
  { page, limit }: PageQuery,
): Promise<Answer<(typeof replyEndpoints)['replies.list']>> {
  const { key } = await findKey(db, query)
  const { replies, total } = await listReplies(db, { ...key, search: query.search, page, limit })
  return { replies, total, totalPages: paginate({ page, limit }, total).totalPages, currentPage: page }
}

async function downloadReplies(db: Db, query: ReplyQuery): Promise<FileAnswer> {
  const { key, name } = await findKey(db, query)
  const replies = await readAllReplies(db, { ...key, search: query.search, most: mostExported })
  const { timezone } = query.actor
  const localTime = createLocalTime(timezone)
  const lines = replies.map(({ phoneNumber, text, at, optedOut }) =>
    csvLine([phoneNumber, text, localTime(new Date(at)), optedOut ? 'Yes' : 'No']),
  )
  const head = csvLine(['Number', 'Reply', `Received (${timezone})`, 'Opted out'])
  return {
    fileName: `${name} replies.csv`,
    contentType: 'text/csv; charset=utf-8',
    body: Readable.from([byteOrderMark + head + lines.join('')], { objectMode: false }),
  }
}

/** Only readers of the campaign may read its replies. */
async function findKey(db: Db, { actor, id }: ReplyQuery) {
  const campaign = await getCampaign(db, { id, scope: actor.scope })
  return { key: { organizationId: campaign.organization_id, campaignId: campaign.id }, name: campaign.name }
}

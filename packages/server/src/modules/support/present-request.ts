import { SupportRequest } from '@carillon/contract/support'
import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'
import type { UserActor } from '../../actor.ts'
import { getRequest, mayAnswer, type RequestRow } from './find-request.ts'

type Figures = {
  id: string
  opener: string | null
  opener_role: string | null
  organization: string | null
  answerer: string | null
  can_go_up: boolean
  messages: number
  unread: number
}

/** Loads related data of all rows of a page in one query. */
export async function presentRequests(
  db: Db,
  { actor, requests }: { actor: UserActor; requests: readonly RequestRow[] },
): Promise<SupportRequest[]> {
  if (requests.length === 0) return []
  const { rows } = await sql<Figures>`
    select request.id, name_above(request.account_id) as opener, account.role as opener_role,
      organization_name(request.organization_id) as organization, name_above(request.answerer_id) as answerer,
      next_answerer(${actor.scope.path}::ltree) is not null as can_go_up,
      count(message.id) filter (where message.direction <> 'system') as messages,
      count(message.id) filter (where message.author_id is distinct from ${actor.accountId}::uuid
        and (seen.read_at is null or message.created_at > seen.read_at)) as unread
    from support_requests request
    left join accounts account on account.organization_id = request.organization_id and account.id = request.account_id
    left join support_reads seen on seen.organization_id = request.organization_id and seen.request_id = request.id
      and seen.account_id = ${actor.accountId}::uuid
    left join support_messages message on message.organization_id = request.organization_id and message.request_id = request.id
      and (message.visibility = 'public' or request.account_id <> ${actor.accountId}::uuid)
    where request.id = any (${requests.map(({ id }) => id)}::uuid[])
    group by request.organization_id, request.id, account.role`.execute(db)
  const figures = new Map(rows.map((row) => [row.id, row]))
  return requests.flatMap((request) => {
    const own = figures.get(request.id)
    return own ? [presentRequest(request, own, actor)] : []
  })
}

export async function presentOne(db: Db, actor: UserActor, request: RequestRow): Promise<SupportRequest> {
  const [presented] = await presentRequests(db, { actor, requests: [request] })
  if (!presented) throw new Error('A request that was just read is gone')
  return presented
}

export async function getPresented(db: Db, { actor, id }: { actor: UserActor; id: string }): Promise<SupportRequest> {
  return presentOne(db, actor, await getRequest(db, { actor, id }))
}

function presentRequest(request: RequestRow, figures: Figures, actor: UserActor): SupportRequest {
  const answers = mayAnswer(request, actor)
  const missing = 'Former user'
  return SupportRequest.parse({
    id: request.id,
    requestNumber: String(request.number).padStart(4, '0'),
    kind: request.kind,
    subject: request.subject,
    category: request.category,
    priority: request.priority,
    status: request.status,
    openedBy: {
      _id: request.account_id,
      name: figures.opener ?? missing,
      type: figures.opener_role ?? 'user',
      organization: figures.organization ?? '',
    },
    ...(request.answerer_id ? { answeredBy: { _id: request.answerer_id, name: figures.answerer ?? missing } } : {}),
    isEscalated: request.escalated_at !== null,
    mayAnswer: answers,
    mayEscalate: answers && request.status !== 'closed' && figures.can_go_up === true,
    unread: figures.unread,
    messageCount: figures.messages,
    ...(request.campaign_id ? { campaignId: request.campaign_id } : {}),
    createdAt: request.created_at.toISOString(),
    updatedAt: request.updated_at.toISOString(),
  })
}

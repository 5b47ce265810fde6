import type { CampaignPage } from '@carillon/contract/campaigns'
import type { CampaignDraft } from '@carillon/contract/draft-legs'
import type { z } from 'zod'
import type { UserActor } from '../../actor.ts'
import type { Db, RunTransaction } from '../../db/pool.ts'
import type { UploadedFile } from '../../http/handlers.ts'
import type { Clock } from '../../lib/clock.ts'
import type { AudienceDeps } from '../audience/index.ts'
import type { CampaignRow } from './campaigns.queries.ts'
import { createCampaign, type AudienceSource } from './drafts/create-campaign.ts'
import { startCampaign } from './lifecycle/start-campaign.ts'
import { discardCampaign, waitForSilence } from './lifecycle/stop-campaign.ts'
import { getNamedCampaign, listCampaigns, type CampaignFilter } from './reads/list-campaigns.ts'
import { progressOf } from './reads/numbers.ts'
import { presentCampaign } from './reads/present-campaign.ts'
import { listCampaignResponses, searchCampaignNumber, type ResponseFilter } from './reads/responses.ts'

export type CampaignDeps = { clock: Clock; audience: AudienceDeps; publicUrl(): string }

type CallWith<Input> = { db: Db; actor: UserActor; input: Input }
type ById = { path: { id: string } }
type Page = { page: number; limit: number }
type AfterCommit = { afterCommit(effect: (scoped: RunTransaction) => unknown): void }

/** Handlers shared by the calls of every channel and those of a single channel. */
export function createCampaignCalls({ clock, audience }: Pick<CampaignDeps, 'clock' | 'audience'>) {
  return {
    list: listPage,
    create: async (db: Db, { actor, ...source }: NewCampaign) =>
      present(db, actor, await createCampaign(db, audience, { actor, ...source })),
    responses: ({ db, actor, input }: CallWith<{ query: Omit<ResponseFilter, 'scope'> }>) =>
      listCampaignResponses(db, { ...input.query, scope: actor.scope }),
    searchNumber: ({ db, actor, input }: CallWith<ById & { query: Page & { number: string } }>) =>
      searchCampaignNumber(db, { ...input.query, campaignId: input.path.id, scope: actor.scope }),
    start: async ({ db, actor, input: { path, body } }: CallWith<ById & { body: { version?: string | undefined } }>) =>
      present(db, actor, await startCampaign(db, { actor, id: path.id, version: body.version, now: clock.now() })),
    discard: async ({ db, actor, input, afterCommit }: CallWith<ById> & AfterCommit) => {
      const discarded = await discardCampaign(db, { actor, id: input.path.id, now: clock.now() })
      afterCommit((scoped) => waitForSilence(scoped, discarded))
      return present(db, actor, discarded)
    },
  }
}

type NewCampaign = {
  actor: UserActor
  draft: CampaignDraft
  people: AudienceSource
  upload: UploadedFile | undefined
}

export async function present(db: Db, actor: UserActor, { id }: CampaignRow) {
  const row = await getNamedCampaign(db, { id, scope: actor.scope })
  return presentCampaign(row, (await progressOf(db, [row])).get(id))
}

async function listPage(db: Db, actor: UserActor, filter: CampaignFilter): Promise<z.input<typeof CampaignPage>> {
  const { rows, total, statusCounts } = await listCampaigns(db, {
    ...filter,
    scope: actor.scope,
    timezone: actor.timezone,
  })
  const progress = await progressOf(db, rows)
  const shown = rows.map((row) => presentCampaign(row, progress.get(row.id)))
  return {
    campaigns: shown,
    totalCampaigns: total,
    totalPages: Math.max(1, Math.ceil(total / filter.limit)),
    currentPage: filter.page,
    campaignStats: shown.map(({ _id, stats }) => ({ campaignId: _id, stats })),
    statusCounts,
  }
}

import type { CampaignStatus } from '@carillon/contract/campaign-records'
import type { campaignListEndpoints } from '@carillon/contract/campaign-lists'
import type { draftEndpoints } from '@carillon/contract/campaign-drafts'
import type { campaignEndpoints, CampaignPage } from '@carillon/contract/campaigns'
import type { z } from 'zod'
import type { Db } from '../../db/pool.ts'
import type { UserActor } from '../../actor.ts'
import type { Handlers } from '../../http/handlers.ts'
import type { Clock } from '../../lib/clock.ts'
import type { AudienceDeps } from '../audience/index.ts'
import { assertAudienceSource, createCampaign } from './drafts/create-campaign.ts'
import { fromSmsDraft } from '../../channels/sms/sms-draft.ts'
import type { CampaignRow } from './campaigns.queries.ts'
import { createDraft, duplicateCampaign, getDraft, saveDraft } from './drafts/drafts.ts'
import { presentSmsDraft } from './drafts/sms-drafts.ts'
import { estimateDraft } from './checks/estimate.ts'
import { getCampaignDetail } from './reads/get-campaign.ts'
import { getNamedCampaign, listCampaigns, type CampaignFilter } from './reads/list-campaigns.ts'
import { progressOf } from './reads/numbers.ts'
import { presentCampaign } from './reads/present-campaign.ts'
import { previewRecipient } from './drafts/preview-recipient.ts'
import { listCampaignResponses, searchCampaignNumber } from './reads/responses.ts'
import { scheduleCampaign } from './lifecycle/schedule-campaign.ts'
import { startCampaign } from './lifecycle/start-campaign.ts'
import { discardCampaign, pauseCampaign, resumeCampaign, waitForSilence } from './lifecycle/stop-campaign.ts'
import { sendTest } from './drafts/send-test.ts'
import { requestValidation } from './planning/validate-campaign.ts'
import { validatingProgress } from './planning/validating-progress.ts'
import { getAnyCampaign, listAllCampaigns, searchAllCampaigns } from './reads/all-campaigns.ts'

export type CampaignDeps = { clock: Clock; audience: AudienceDeps }

export function campaignHandlers({
  clock,
  audience,
}: CampaignDeps): Handlers<typeof campaignEndpoints & typeof draftEndpoints & typeof campaignListEndpoints> {
  return {
    'smsCampaigns.list': ({ db, actor, input }) => listPage(db, actor, { ...input.query, channel: 'sms' }),
    'smsCampaigns.search': ({ db, actor, input: { query } }) =>
      listPage(db, actor, {
        channel: 'sms',
        search: query.query,
        page: query.page,
        limit: query.limit,
        sort: 'created',
        direction: 'desc',
        includeTests: 'false',
      }),
    'smsCampaigns.get': ({ db, actor, input }) => getCampaignDetail(db, { id: input.path.id, scope: actor.scope }),
    'smsCampaigns.responses': ({ db, actor, input }) =>
      listCampaignResponses(db, { ...input.query, scope: actor.scope }),
    'smsCampaigns.searchNumber': ({ db, actor, input }) =>
      searchCampaignNumber(db, { ...input.query, campaignId: input.path.id, scope: actor.scope }),
    'smsCampaigns.create': async ({ db, actor, input, files }) => {
      const { campaignName, smsAccountId, templateId, variables, schedule, skipRecent, ...people } = input.body
      assertAudienceSource(people, files['file'])
      const chosen = { campaignName, smsAccountId, templateId, variables, schedule, skipRecent, audienceId: null }
      const draft = fromSmsDraft(chosen)
      return present(db, actor, await createCampaign(db, audience, { actor, draft, people, upload: files['file'] }))
    },
    'smsCampaigns.start': async ({ db, actor, input }) =>
      present(
        db,
        actor,
        await startCampaign(db, { actor, id: input.path.id, version: input.body.version, now: clock.now() }),
      ),
    'smsCampaigns.discard': async ({ db, actor, input, afterCommit }) => {
      const discarded = await discardCampaign(db, { actor, id: input.path.id, now: clock.now() })
      afterCommit((scoped) => waitForSilence(scoped, discarded))
      return present(db, actor, discarded)
    },
    'smsCampaigns.pause': async ({ db, actor, input, afterCommit }) => {
      const paused = await pauseCampaign(db, { actor, id: input.path.id, now: clock.now() })
      afterCommit((scoped) => waitForSilence(scoped, paused))
      return present(db, actor, paused)
    },
    'smsCampaigns.resume': async ({ db, actor, input }) =>
      present(db, actor, await resumeCampaign(db, { actor, id: input.path.id })),
    'smsCampaigns.schedule': async ({ db, actor, input: { path, body } }) =>
      present(
        db,
        actor,
        await scheduleCampaign(db, { actor, id: path.id, ...body, startAt: body.startAt, now: clock.now() }),
      ),
    'smsCampaigns.duplicate': async ({ db, actor, input }) =>
      presentSmsDraft(await duplicateCampaign(db, { actor, id: input.path.id, channel: 'sms' })),
    'drafts.create': async ({ db, actor, input }) =>
      presentSmsDraft(await createDraft(db, { actor, draft: fromSmsDraft(input.body) })),
    'drafts.get': async ({ db, actor, input }) =>
      presentSmsDraft(await getDraft(db, { actor, id: input.path.id, channel: 'sms' })),
    'drafts.save': async ({ db, actor, input: { path, query, body } }) =>
      presentSmsDraft(await saveDraft(db, { actor, ...path, ...query, draft: fromSmsDraft(body) })),
    'drafts.estimate': ({ db, actor, input }) => estimateDraft(db, { actor, id: input.path.id, now: clock.now() }),
    'drafts.preview': ({ db, actor, input }) => previewRecipient(db, { ...input.path, scope: actor.scope }),
    'drafts.test': ({ db, actor, input }) => sendTest(db, { actor, id: input.path.id, ...input.body }),
    'drafts.validate': async ({ db, actor, input }) =>
      present(db, actor, await requestValidation(db, { actor, id: input.path.id })),
    'campaigns.validatingProgress': ({ db, actor, input }) =>
      validatingProgress(db, { id: input.path.id, scope: actor.scope }),
    'campaigns.list': ({ db, actor, input }) => listAllCampaigns(db, actor, input.query),
    'campaigns.search': ({ db, actor, input }) => searchAllCampaigns(db, actor, input.query.query),
    'campaigns.watch': ({ db, actor, input }) => getAnyCampaign(db, { id: input.path.id, scope: actor.scope }),
  }
}

export async function present(db: Db, actor: UserActor, { id }: CampaignRow) {
  const row = await getNamedCampaign(db, { id, scope: actor.scope })
  return presentCampaign(row, (await progressOf(db, [row])).get(id))
}

export async function listPage(
  db: Db,
  actor: UserActor,
  filter: CampaignFilter,
): Promise<z.input<typeof CampaignPage>> {
  const { rows, total, statusCounts } = await listCampaigns(db, {
    ...filter,
    scope: actor.scope,
    timezone: actor.timezone,
  })
  const progress = await progressOf(db, rows)
  const shown = rows.map((row) => presentCampaign(row, progress.get(row.id)))
  const counts: Partial<Record<CampaignStatus, number>> = statusCounts
  return {
    campaigns: shown,
    totalCampaigns: total,
    totalPages: Math.max(1, Math.ceil(total / filter.limit)),
    currentPage: filter.page,
    campaignStats: shown.map(({ _id, stats }) => ({ campaignId: _id, stats })),
    statusCounts: counts,
  }
}

import type { campaignListEndpoints } from '@carillon/contract/campaign-lists'
import type { draftEndpoints } from '@carillon/contract/campaign-drafts'
import type { campaignEndpoints } from '@carillon/contract/campaigns'
import type { Handlers } from '../../http/handlers.ts'
import { createCampaignCalls, present, type CampaignDeps } from './calls.ts'
import { estimateDraft } from './checks/estimate.ts'
import { createDraft, duplicateCampaign, getDraft, presentDraft, saveDraft } from './drafts/drafts.ts'
import { listDraftRecipients } from './drafts/list-recipients.ts'
import { previewRecipient } from './drafts/preview-recipient.ts'
import { sendTest } from './drafts/send-test.ts'
import { scheduleCampaign } from './lifecycle/schedule-campaign.ts'
import { pauseCampaign, resumeCampaign, waitForSilence } from './lifecycle/stop-campaign.ts'
import { requestValidation } from './planning/validate-campaign.ts'
import { validatingProgress } from './planning/validating-progress.ts'
import { getAnyCampaign, listAllCampaigns, searchAllCampaigns } from './reads/all-campaigns.ts'
import { presentReach } from './reach/present-reach.ts'
import { getCampaignDetail } from './reads/get-campaign.ts'

export function campaignHandlers(
  deps: CampaignDeps,
): Handlers<typeof campaignEndpoints & typeof draftEndpoints & typeof campaignListEndpoints> {
  const { clock, publicUrl } = deps
  const calls = createCampaignCalls(deps)
  return {
    'campaigns.get': ({ db, actor, input }) => getCampaignDetail(db, { id: input.path.id, scope: actor.scope }),
    'campaigns.responses': calls.responses,
    'campaigns.searchNumber': calls.searchNumber,
    'campaigns.start': calls.start,
    'campaigns.discard': calls.discard,
    'campaigns.pause': async ({ db, actor, input, afterCommit }) => {
      const paused = await pauseCampaign(db, { actor, id: input.path.id, now: clock.now() })
      afterCommit((scoped) => waitForSilence(scoped, paused))
      return present(db, actor, paused)
    },
    'campaigns.resume': async ({ db, actor, input }) =>
      present(db, actor, await resumeCampaign(db, { actor, id: input.path.id })),
    'campaigns.schedule': async ({ db, actor, input: { path, body } }) =>
      present(
        db,
        actor,
        await scheduleCampaign(db, { actor, id: path.id, ...body, startAt: body.startAt, now: clock.now() }),
      ),
    'campaigns.duplicate': async ({ db, actor, input }) =>
      presentDraft(await duplicateCampaign(db, { actor, id: input.path.id })),
    'drafts.create': async ({ db, actor, input }) => presentDraft(await createDraft(db, { actor, draft: input.body })),
    'drafts.get': async ({ db, actor, input }) => presentDraft(await getDraft(db, { actor, id: input.path.id })),
    'drafts.save': async ({ db, actor, input: { path, query, body } }) =>
      presentDraft(await saveDraft(db, { actor, ...path, ...query, draft: body })),
    'drafts.estimate': ({ db, actor, input }) =>
      estimateDraft(db, { actor, id: input.path.id, now: clock.now(), publicUrl: publicUrl() }),
    'drafts.recipients': ({ db, actor, input: { path, query } }) =>
      listDraftRecipients(db, { actor, id: path.id, query, now: clock.now(), publicUrl: publicUrl() }),
    'drafts.preview': ({ db, actor, input }) => previewRecipient(db, { actor, ...input.path, publicUrl: publicUrl() }),
    'drafts.reach': async ({ db, actor, input }) =>
      presentReach(db, await getDraft(db, { actor, id: input.path.id }), { request: 'none' }),
    'drafts.checkReach': async ({ db, actor, input }) =>
      presentReach(db, await getDraft(db, { actor, id: input.path.id }), {
        request: input.query.again === 'true' ? 'all' : 'missing',
      }),
    'drafts.test': ({ db, actor, input }) =>
      sendTest(db, { actor, id: input.path.id, publicUrl: publicUrl(), ...input.body }),
    'drafts.validate': async ({ db, actor, input }) =>
      present(db, actor, await requestValidation(db, { actor, id: input.path.id })),
    'campaigns.validatingProgress': ({ db, actor, input }) =>
      validatingProgress(db, { id: input.path.id, scope: actor.scope }),
    'campaigns.list': ({ db, actor, input }) => listAllCampaigns(db, actor, input.query),
    'campaigns.search': ({ db, actor, input }) => searchAllCampaigns(db, actor, input.query.query),
    'campaigns.watch': ({ db, actor, input }) => getAnyCampaign(db, { id: input.path.id, scope: actor.scope }),
  }
}

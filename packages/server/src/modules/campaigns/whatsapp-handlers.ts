import type { whatsappCampaignEndpoints } from '@carillon/contract/channels/whatsapp/whatsapp-campaigns'
import type { Handlers } from '../../http/handlers.ts'
import { getCampaign } from './campaigns.queries.ts'
import { assertOfChannel, createDraft, getDraft, saveDraft } from './drafts/drafts.ts'
import { fromWhatsappDraft } from '../../channels/whatsapp/whatsapp-draft.ts'
import { getCampaignDetail } from './reads/get-campaign.ts'
import { listPage, present, type CampaignDeps } from './handlers.ts'
import { listCampaignResponses } from './reads/responses.ts'
import { sendTest } from './drafts/send-test.ts'
import { startCampaign } from './lifecycle/start-campaign.ts'
import { requestValidation } from './planning/validate-campaign.ts'
import { createWhatsappCampaign, presentWhatsappDraft } from './drafts/whatsapp-drafts.ts'
import { estimateDraft } from './checks/estimate.ts'

export function whatsappCampaignHandlers({
  clock,
  audience,
}: CampaignDeps): Handlers<typeof whatsappCampaignEndpoints> {
  return {
    'waCampaigns.list': ({ db, actor, input: { query } }) =>
      listPage(db, actor, {
        ...query,
        channel: 'whatsapp',
        sort: 'created',
        direction: 'desc',
        includeTests: 'false',
      }),
    'waCampaigns.get': async ({ db, actor, input }) => {
      assertOfChannel(await getCampaign(db, { id: input.path.id, scope: actor.scope }), 'whatsapp')
      return getCampaignDetail(db, { id: input.path.id, scope: actor.scope })
    },
    'waCampaigns.create': async ({ db, actor, input, files }) =>
      present(
        db,
        actor,
        await createWhatsappCampaign(db, audience, { actor, input: input.body, upload: files['file'] }),
      ),
    'waCampaigns.start': async ({ db, actor, input }) =>
      present(
        db,
        actor,
        await startCampaign(db, { actor, id: input.path.id, version: input.body.version, now: clock.now() }),
      ),
    'waCampaigns.responses': ({ db, actor, input }) =>
      listCampaignResponses(db, { ...input.query, scope: actor.scope }),
    'waDrafts.create': async ({ db, actor, input }) =>
      presentWhatsappDraft(db, actor.scope, await createDraft(db, { actor, draft: fromWhatsappDraft(input.body) })),
    'waDrafts.get': async ({ db, actor, input }) =>
      presentWhatsappDraft(db, actor.scope, await getDraft(db, { actor, id: input.path.id, channel: 'whatsapp' })),
    'waDrafts.save': async ({ db, actor, input: { path, query, body } }) => {
      const draft = fromWhatsappDraft(body)
      return presentWhatsappDraft(db, actor.scope, await saveDraft(db, { actor, ...path, ...query, draft }))
    },
    'waDrafts.estimate': ({ db, actor, input }) => estimateDraft(db, { actor, id: input.path.id, now: clock.now() }),
    'waDrafts.test': ({ db, actor, input }) => sendTest(db, { actor, id: input.path.id, ...input.body }),
    'waDrafts.validate': async ({ db, actor, input }) =>
      present(db, actor, await requestValidation(db, { actor, id: input.path.id })),
  }
}

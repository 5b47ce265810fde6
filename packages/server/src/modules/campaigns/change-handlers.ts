import type { campaignChangeEndpoints } from '@carillon/contract/campaign-changes'
import type { Handlers } from '../../http/handlers.ts'
import { listUsing } from './reads/campaigns-using.ts'
import { getCampaign } from './campaigns.queries.ts'
import type { CampaignDeps } from './calls.ts'
import { retarget } from './drafts/retarget.ts'
import { chooseWinner } from './ab-tests/choose-winner.ts'
import { getFailed, resendFailed } from './lifecycle/resend-failed.ts'
import { planStart, reopenCampaign } from './lifecycle/schedule-campaign.ts'
import { formatHours } from './checks/send-window.ts'

export function campaignChangeHandlers({
  clock,
  audience,
}: Pick<CampaignDeps, 'clock' | 'audience'>): Handlers<typeof campaignChangeEndpoints> {
  return {
    'campaigns.plannedStart': async ({ db, actor, input: { path, query } }) => {
      const campaign = await getCampaign(db, { id: path.id, scope: actor.scope })
      const { beginsAt, window, refusal } = planStart(campaign, new Date(query.startAt), clock.now())
      return {
        beginsAt: beginsAt.toISOString(),
        ...(window ? { hours: formatHours(window) } : {}),
        ...(refusal ? { refusal } : {}),
      }
    },
    'campaigns.using': ({ db, actor, input }) => listUsing(db, { ...input.query, scope: actor.scope }),
    'campaigns.failed': ({ db, actor, input }) => getFailed(db, { actor, id: input.path.id }),
    'campaigns.resendFailed': async ({ db, actor, input: { path, body } }) => {
      const { campaign, people } = await resendFailed(db, audience, { actor, id: path.id, ...body })
      return { _id: campaign.id, channel: campaign.channel, people }
    },
    'campaigns.retarget': async ({ db, actor, input: { path, body } }) => {
      const { campaign, people } = await retarget(db, audience, { actor, id: path.id, filter: body })
      return { _id: campaign.id, channel: campaign.channel, people }
    },
    'campaigns.chooseWinner': async ({ db, actor, input: { path, body } }) =>
      chooseWinner(db, { actor, id: path.id, variant: body.variant }),
    'campaigns.reopen': async ({ db, actor, input }) => {
      const { id, status, channel } = await reopenCampaign(db, { actor, id: input.path.id })
      return { _id: id, status, channel }
    },
  }
}

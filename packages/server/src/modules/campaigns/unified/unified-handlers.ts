import type { unifiedCampaignEndpoints } from '@carillon/contract/unified-campaigns'
import type { Handlers } from '../../../http/handlers.ts'
import type { CampaignDeps } from '../calls.ts'
import { compareCampaigns } from './compare-campaigns.ts'
import { listUnified } from './list-unified.ts'
import { listWeek } from './list-week.ts'

export function unifiedCampaignHandlers({
  clock,
}: Pick<CampaignDeps, 'clock'>): Handlers<typeof unifiedCampaignEndpoints> {
  return {
    'campaigns.unified': ({ db, actor, input }) => listUnified(db, { ...input.query, scope: actor.scope }),
    'campaigns.week': ({ db, actor, input }) =>
      listWeek(db, { ...input.query, scope: actor.scope, timezone: actor.timezone, now: clock.now() }),
    'campaigns.compare': ({ db, actor, input }) =>
      compareCampaigns(db, { ids: input.query.ids.toLowerCase().split(','), scope: actor.scope }),
  }
}

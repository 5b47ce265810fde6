import type { reportEndpoints } from '@carillon/contract/reports'
import type { Handlers } from '../../http/handlers.ts'
import type { Clock } from '../../lib/clock.ts'
import { listAttention } from './attention.ts'
import { downloadNumbers, downloadWorkbook, getCampaignStatus } from './campaign-reports.ts'
import { countStatuses } from './status-counts.ts'
import { listUsage } from './usage.ts'

export function reportHandlers({ clock }: { clock: Clock }): Handlers<typeof reportEndpoints> {
  return {
    'reports.campaignStatus': ({ db, actor, input }) =>
      getCampaignStatus(db, { actor, campaignId: input.path.campaignId }),
    'reports.campaignNumbers': {
      withoutTransaction: ({ scoped, actor, input }) =>
        downloadNumbers(scoped, { actor, campaignId: input.path.id, filter: input.query }),
    },
    'reports.campaignExcel': {
      withoutTransaction: ({ scoped, actor, input }) =>
        downloadWorkbook(scoped, { actor, campaignId: input.query.campaignId, filter: input.query }),
    },
    'dashboard.statusCounts': ({ db, actor, input }) =>
      countStatuses(db, { actor, ...input.query, userIds: input.query.userIds, now: clock.now() }),
    'dashboard.storedStatusCounts': ({ db, actor, input }) =>
      listUsage(db, { actor, ...input.query, eachAlone: false }),
    'reports.teamUsage': ({ db, actor, input }) => listUsage(db, { actor, ...input.query, eachAlone: true }),
    'dashboard.attention': ({ db, actor }) => listAttention(db, actor, clock.now()),
  }
}

import type { CampaignDetail } from '@carillon/contract/campaigns'
import { writeView } from '../../../lib/url-state.ts'
import { AreaLink } from '../../../ui/area-link.tsx'
import { Button } from '../../../ui/button.tsx'
import { reportsView } from '../numbers/reports-view.ts'
import { abPhaseText } from './ab-phase-note.tsx'

/** The state of a campaign's A/B test, and the way to its results; empty if it waits for nothing. */
export function ReportOfTest({ campaign }: { campaign: Pick<CampaignDetail, '_id' | 'abPhase' | 'status'> }) {
  const text = abPhaseText(campaign)
  if (text === undefined) return null
  const isWaiting = campaign.abPhase === 'awaiting_winner'
  return (
    <section aria-label="A/B test" className="flex items-center gap-2">
      <span className="min-w-0 flex-1">{isWaiting ? 'The A/B test is over' : text}</span>
      <Button size="sm" asChild>
        <AreaLink to="campaigns/individual-reports" search={writeView(reportsView, { campaignId: campaign._id })}>
          {isWaiting ? 'Choose a winner' : 'See results'}
        </AreaLink>
      </Button>
    </section>
  )
}

import type { Campaign, CampaignStatus } from '@carillon/contract/campaign-records'

const underWay: readonly CampaignStatus[] = ['queued', 'running', 'paused']

/** What the A/B test of a campaign waits for; undefined if it waits for nothing. */
export function abPhaseText({ abPhase, status }: Pick<Campaign, 'abPhase' | 'status'>): string | undefined {
  if (!underWay.includes(status)) return undefined
  if (abPhase === 'testing') return 'A/B test running'
  return abPhase === 'awaiting_winner' ? 'Choose a winner' : undefined
}

/** In a list row: the state of the A/B test; empty if there is none. */
export function AbPhaseNote({ campaign }: { campaign: Pick<Campaign, 'abPhase' | 'status'> }) {
  const text = abPhaseText(campaign)
  if (text === undefined) return null
  return (
    <span
      className={`block truncate text-caption leading-4 ${campaign.abPhase === 'awaiting_winner' ? 'font-medium text-warning-text' : 'text-muted-foreground'}`}
    >
      {text}
    </span>
  )
}

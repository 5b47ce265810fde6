import type { CampaignsUsing } from '@carillon/contract/campaign-changes'
import type { ReactNode } from 'react'
import { countOf, formatScheduleDay } from '../lib/format.ts'
import { useApi } from '../lib/use-api.ts'
import type { Needed, useSwitchOff } from '../lib/use-switch-off.ts'
import { ConfirmDialog } from './dialog.tsx'
import { Failure } from './failure.tsx'
import { Notice } from './notice.tsx'
import { campaignStatusLabel } from './pill.tsx'
import { Loading, SkeletonLines } from './skeleton.tsx'

/** Effects on scheduled and running campaigns, as text. */
export type Effects = { scheduled: string; running: string }

type SwitchOffDialogProps = {
  guard: ReturnType<typeof useSwitchOff>
  title: string
  action: string
  effects: Effects
}

/** Confirmation before something that campaigns need is switched off. */
export function SwitchOffDialog({ guard, title, action, effects }: SwitchOffDialogProps) {
  const { asked, close } = guard
  if (!asked) return null
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && close()}
      title={title}
      description={asked.found ? inUse(asked.found) : 'Could not check whether campaigns need it.'}
      action={action}
      destructive
      onConfirm={() => {
        close()
        asked.proceed()
      }}
    >
      {asked.found ? <Affected found={asked.found} effects={effects} /> : null}
    </ConfirmDialog>
  )
}

type CampaignsAffectedProps = {
  needed: Needed
  effects: Effects
  /** 'them' if several are named. */
  pronoun?: 'it' | 'them'
}

/** Whether scheduled or running campaigns need it. */
export function useIsNeeded(needed: Needed): boolean {
  return (useApi('campaigns.using', { query: needed }, { staleTime: 0 }).data?.total ?? 0) > 0
}

/** The same inside another confirmation dialog; empty if no campaign is affected. */
export function CampaignsAffected({ needed, effects, pronoun }: CampaignsAffectedProps) {
  const read = useApi('campaigns.using', { query: needed }, { staleTime: 0 })
  if (read.isError) return <Failure error={read.error} onRetry={() => void read.refetch()} />
  if (read.isLoading)
    return (
      <Loading label="Checking for campaigns that need it">
        <SkeletonLines count={2} />
      </Loading>
    )
  if (!read.data || read.data.total === 0) return null
  return (
    <Notice tone="care">
      <span className="mb-1 block font-medium">{inUse(read.data, pronoun)}</span>
      <Affected found={read.data} effects={effects} />
    </Notice>
  )
}

function Affected({ found, effects }: { found: CampaignsUsing; effects: Effects }) {
  const { campaigns, total, scheduled } = found
  const rest = total - campaigns.length
  return (
    <div className="flex flex-col gap-2 text-dense">
      <ul className="flex flex-col gap-0.5">
        {campaigns.map((campaign) => (
          <li key={campaign._id} className="flex min-w-0 gap-2">
            <b className="min-w-0 truncate font-medium">{campaign.campaignName}</b>
            <span className="ml-auto shrink-0 tabular-nums">{whenOf(campaign)}</span>
          </li>
        ))}
        {rest > 0 ? <li>and {countOf(rest, 'more campaign')}</li> : null}
      </ul>
      {scheduled > 0 ? <Effect>{effects.scheduled}</Effect> : null}
      {total > scheduled ? <Effect>{effects.running}</Effect> : null}
    </div>
  )
}

function Effect({ children }: { children: ReactNode }) {
  return <p>{children}</p>
}

function inUse({ total }: CampaignsUsing, pronoun = 'it'): string {
  return `${countOf(total, 'campaign needs', 'campaigns need')} ${pronoun}.`
}

function whenOf({ status, startAt, timezone }: CampaignsUsing['campaigns'][number]): string {
  return status === 'scheduled' && startAt ? formatScheduleDay(startAt, timezone) : campaignStatusLabel(status)
}

import type { CampaignStatus } from '@carillon/contract/campaign-records'
import type { RestoreDecision, RestoredCampaign as Restored } from '@carillon/contract/sending'
import { countOf, formatCount, formatDateTime } from '../../lib/format.ts'
import { ChannelMark } from '../../channels/channel-mark.tsx'
import { StatusPill } from '../../ui/pill.tsx'
import { Select } from '../../ui/select.tsx'

type RestoredCampaignProps = {
  campaign: Restored
  decision: RestoreDecision | undefined
  onDecide: (decision: RestoreDecision) => void
}

/** One campaign of the backup: its progress, and whether the rest is sent. */
export function RestoredCampaign({ campaign, decision, onDecide }: RestoredCampaignProps) {
  const { name, organization, channel, status, done, inFlight, waiting, scheduledAt } = campaign
  return (
    <li className="flex flex-wrap items-center gap-x-6 gap-y-2 border-t border-line py-3">
      <div className="min-w-0 flex-1 basis-60">
        <div className="flex min-w-0 items-center gap-2">
          <ChannelMark channel={channel} markOnly />
          <b className="min-w-0 truncate font-medium">{name}</b>
          <StatusPill status={status} />
        </div>
        <p className="truncate text-dense text-muted-foreground">
          {organization}
          {scheduledAt && status === 'scheduled' ? ` · scheduled for ${formatDateTime(scheduledAt)}` : ''}
        </p>
        <p className="text-dense text-muted-foreground tabular-nums">
          {formatCount(done)} processed · {formatCount(inFlight)} in flight · {formatCount(waiting)} waiting
        </p>
        {decision === 'send' && waiting > 0 ? (
          <p className="text-dense text-warning-text">
            Up to {countOf(waiting, 'person', 'people')} may get this message twice
            {status === 'paused' ? ' if it is resumed' : ''}
          </p>
        ) : null}
      </div>
      <DecisionSelect label={name} value={decision} onDecide={onDecide} status={status} />
    </li>
  )
}

/** A campaign that was not sending is unchanged. */
const sendLabels: Partial<Record<CampaignStatus, string>> = { paused: 'Keep paused', scheduled: 'Keep scheduled' }

type DecisionSelectProps = {
  label: string
  value: RestoreDecision | undefined
  onDecide: (decision: RestoreDecision) => void
  status?: CampaignStatus
}

export function DecisionSelect({ label, value, onDecide, status = 'running' }: DecisionSelectProps) {
  return (
    <Select
      aria-label={label}
      className="w-52 max-md:w-full"
      size="sm"
      value={value ?? ''}
      placeholder="Choose an action"
      options={[
        { value: 'cancel', label: status === 'scheduled' ? 'Cancel campaign' : 'Cancel the rest' },
        { value: 'send', label: sendLabels[status] ?? 'Send the rest' },
      ]}
      onValueChange={onDecide}
    />
  )
}

import type { Campaign } from '@carillon/contract/campaign-records'
import { channelTraits } from '@carillon/contract/channels/table'
import { useEffect, useState } from 'react'
import type { ProgressUpdate } from '@carillon/contract/realtime'
import { countOf, formatCount, formatDuration, formatProgress, formatScheduleDay } from '../../lib/format.ts'
import { onProgress } from '../../lib/socket.ts'
import { listView } from '../../lib/list-view.ts'
import { writeView } from '../../lib/url-state.ts'
import { useApi } from '../../lib/use-api.ts'
import { useIncluded } from '../../lib/use-included.ts'
import { shortWaitingText, waitingText } from '../../lib/waiting-text.ts'
import { AreaLink } from '../../ui/area-link.tsx'
import { Card } from '../../ui/card.tsx'
import { ChannelMark } from '../../channels/channel-mark.tsx'
import { StatusPill } from '../../ui/pill.tsx'
import { Progress } from '../../ui/progress.tsx'
import { Region } from '../../ui/region.tsx'

const alive = 'validating,queued,running,paused,scheduled'

/** Active campaigns, updated by the socket between two reads. */
export function LiveNow() {
  const included = useIncluded('campaign')
  const campaigns = useApi(
    'campaigns.list',
    { query: { status: alive, limit: 5 } },
    { refetchInterval: 15_000, enabled: included === true },
  )
  const updates = useUpdates()
  const rows = campaigns.data?.campaigns ?? []
  if (included === false) return null
  return (
    <Card
      title={
        <span className="flex items-center gap-2.5">
          {rows.some(({ status }) => status === 'running') ? (
            <span className="size-2 animate-pulse-live rounded-full bg-brand ring-3 ring-brand/20" />
          ) : null}
          Live now
        </span>
      }
      actions={
        <span className="pr-2 text-dense text-muted-foreground">
          {campaigns.data ? countOf(campaigns.data.totalCampaigns, 'campaign') : ''}
        </span>
      }
    >
      <Region read={campaigns} label="live campaigns">
        {(data) =>
          data.campaigns.length === 0 ? (
            <p className="px-4 pb-4 text-muted-foreground">Nothing is being sent right now.</p>
          ) : (
            <ul>
              {data.campaigns.map((campaign) => (
                <LiveRow key={campaign._id} campaign={campaign} update={updates.get(campaign._id)} />
              ))}
            </ul>
          )
        }
      </Region>
    </Card>
  )
}

function LiveRow({ campaign, update }: { campaign: Campaign; update: ProgressUpdate | undefined }) {
  // The latest socket update overrides the loaded data.
  const { _id, campaignName, channel, status, percent } = { ...campaign, ...update }
  return (
    <li className="border-t border-line px-4 py-3">
      <div className="flex items-center gap-2">
        <ChannelMark channel={channel} markOnly />
        <AreaLink
          to="campaigns"
          search={writeView(listView, { openId: _id })}
          className="min-w-0 flex-1 truncate font-medium hover:underline"
        >
          {campaignName}
        </AreaLink>
        {status === 'running' || status === 'validating' ? (
          <b className="tabular-nums">{formatProgress(percent)}</b>
        ) : (
          <StatusPill status={status} />
        )}
      </div>
      {status === 'scheduled' && campaign.startAt ? (
        <p className="mt-1 text-dense text-muted-foreground">
          {formatScheduleDay(campaign.startAt, campaign.timezone)}
        </p>
      ) : (
        <LiveBar campaign={campaign} update={update} />
      )}
    </li>
  )
}

function LiveBar({ campaign, update }: { campaign: Campaign; update: ProgressUpdate | undefined }) {
  const { campaignName, status, percent, stats } = { ...campaign, ...update }
  return (
    <>
      <Progress percent={percent} label={campaignName} tone={toneOf(status)} className="my-2 w-full" />
      <p className="flex justify-between text-dense text-muted-foreground tabular-nums">
        <span>
          {formatCount(stats.total - stats.queued)} of {formatCount(stats.total)}
        </span>
        <span>{update?.etaSeconds ? `${formatDuration(update.etaSeconds)} left` : ''}</span>
      </p>
      {campaign.waiting ? (
        <p
          className="text-dense text-muted-foreground tabular-nums"
          title={waitingText(campaign.waiting, channelTraits[campaign.channel].label)}
        >
          {shortWaitingText(campaign.waiting)}
        </p>
      ) : null}
    </>
  )
}

function toneOf(status: Campaign['status']) {
  if (status === 'paused') return 'care'
  return status === 'running' ? 'brand' : 'mute'
}

function useUpdates(): ReadonlyMap<string, ProgressUpdate> {
  const [updates, setUpdates] = useState<ReadonlyMap<string, ProgressUpdate>>(() => new Map())
  useEffect(() => onProgress((update) => setUpdates((known) => new Map(known).set(update.campaignId, update))), [])
  return updates
}

import type { WatchedCampaign } from '@carillon/contract/campaign-lists'
import { Search } from 'lucide-react'
import { useState } from 'react'
import { formatCount, formatDateTime, formatMoney, formatPhone } from '../../../lib/format.ts'
import { useApi } from '../../../lib/use-api.ts'
import { Input } from '../../../ui/input.tsx'
import { MessagePill, StatusPill } from '../../../ui/pill.tsx'
import { Progress } from '../../../ui/progress.tsx'
import { Region } from '../../../ui/region.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { Missing, When } from '../../../ui/text.tsx'
import { FailureList } from '../failure-list.tsx'
import { Funnel } from '../funnel.tsx'
import { MessagePhone, piecesForAll } from '../message-phone.tsx'
import { spentOf } from '../spent.ts'

/** A campaign of an account below: how it fares, what it sends, why messages fail. Nothing can be done to it from here. */
export function WatchedPeek({ campaign }: { campaign: WatchedCampaign }) {
  const [tab, setTab] = useState<'overview' | 'failures' | 'number'>('overview')
  const detail = useApi('campaigns.watch', { path: { id: campaign._id } }, { refetchInterval: 10_000 })
  return (
    <>
      <div className="flex flex-col gap-2 px-5 pt-4 pb-3">
        <div className="flex items-center gap-3">
          <StatusPill status={campaign.status} />
          <span className="min-w-0 truncate text-dense text-muted-foreground">{campaign.statusDetail}</span>
        </div>
        {campaign.status === 'running' || campaign.status === 'paused' ? (
          <Progress percent={campaign.percent} label={`${campaign.campaignName} is sent`} />
        ) : null}
      </div>
      <Tabs
        label="Campaign"
        inset="sheet"
        value={tab}
        onValueChange={setTab}
        items={[
          { value: 'overview', label: 'Overview' },
          { value: 'failures', label: 'Failures', count: campaign.stats.failed },
          { value: 'number', label: 'Find a number' },
        ]}
      />
      <div className="p-5">
        {tab === 'number' ? (
          <FindNumber campaignId={campaign._id} />
        ) : (
          <Region read={detail} label="the campaign" lines={8}>
            {({ body, variables, failures, stats }) =>
              tab === 'failures' ? (
                <FailureList failures={failures} />
              ) : (
                <div className="flex flex-col gap-6">
                  <Funnel stats={stats} channel={campaign.channel} />
                  {body ? (
                    <div className="flex justify-center">
                      <MessagePhone
                        channel={campaign.channel}
                        header={
                          campaign.channel === 'whatsapp' ? campaign.accountName || campaign.header : campaign.header
                        }
                        category={campaign.category}
                        pieces={piecesForAll(body, variables, campaign.channel)}
                        at={campaign.startedAt}
                      />
                    </div>
                  ) : null}
                  <Facts campaign={campaign} />
                </div>
              )
            }
          </Region>
        )}
      </div>
    </>
  )
}

function Facts({ campaign }: { campaign: WatchedCampaign }) {
  const { organization, account, templateName, stats, createdAt, startedAt, completedAt } = campaign
  const instant = (at: string | null) => (at ? formatDateTime(at) : <Missing why="not yet" />)
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2 [&_dd]:min-w-0 [&_dd]:truncate [&_dd]:tabular-nums [&_dt]:text-muted-foreground">
      <dt>Organisation</dt>
      <dd>{organization.name || <Missing />}</dd>
      <dt>Created by</dt>
      <dd>{account.name}</dd>
      <dt>Template</dt>
      <dd>{templateName || <Missing why="none yet" />}</dd>
      <dt>Cost</dt>
      <dd>{formatMoney(spentOf(stats))}</dd>
      <dt>Created</dt>
      <dd>{formatDateTime(createdAt)}</dd>
      <dt>Started</dt>
      <dd>{instant(startedAt)}</dd>
      <dt>Completed</dt>
      <dd>{instant(completedAt)}</dd>
    </dl>
  )
}

/** What became of the message to one person, for who calls about it. */
function FindNumber({ campaignId }: { campaignId: string }) {
  const [typed, setTyped] = useState('')
  const digits = typed.replaceAll(/\D/g, '')
  const found = useApi(
    'smsCampaigns.searchNumber',
    { path: { id: campaignId }, query: { number: digits } },
    { enabled: digits.length >= 3, keepPrevious: true },
  )
  return (
    <div className="flex flex-col gap-4">
      <Input
        leading={<Search aria-hidden />}
        inputMode="tel"
        aria-label="Find a number"
        placeholder="At least three digits"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      {digits.length < 3 ? null : (
        <Region read={found} label="the numbers" lines={3}>
          {({ responses, total }) => (
            <>
              <p role="status" className="text-dense text-muted-foreground">
                {total === 0 ? 'No number of this campaign has these digits' : `${formatCount(total)} found`}
              </p>
              <ul className="divide-y divide-line">
                {responses.map(({ phoneNumber, status, reason, sentAt }) => (
                  <li key={phoneNumber} className="flex items-center gap-3 py-2.5">
                    <span className="min-w-0 flex-1">
                      <span className="block tabular-nums">{formatPhone(phoneNumber)}</span>
                      <span className="block truncate text-caption text-muted-foreground">{reason}</span>
                    </span>
                    <MessagePill status={status} />
                    <span className="text-dense text-muted-foreground">
                      <When at={sentAt} />
                    </span>
                  </li>
                ))}
              </ul>
            </>
          )}
        </Region>
      )}
    </div>
  )
}

import type { AnyCampaign } from '@carillon/contract/campaign-lists'
import { Search } from 'lucide-react'
import { useState } from 'react'
import { formatCount, formatPhone } from '../../../lib/format.ts'
import { listView } from '../../../lib/list-view.ts'
import { writeView } from '../../../lib/url-state.ts'
import { useApi } from '../../../lib/use-api.ts'
import { useIsMobile } from '../../../lib/use-is-mobile.ts'
import { AreaLink } from '../../../ui/area-link.tsx'
import { Button } from '../../../ui/button.tsx'
import { Copyable } from '../../../ui/copyable.tsx'
import type { Peek } from '../../../ui/data-screen/peek-sheet.tsx'
import { Input } from '../../../ui/input.tsx'
import { MessagePill } from '../../../ui/pill.tsx'
import { Region } from '../../../ui/region.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { Missing, When } from '../../../ui/text.tsx'
import { FactList, type Fact } from '../report/campaign-facts.tsx'
import { CampaignProgress, PeekFigures } from '../list/campaign-progress.tsx'
import { CampaignTimeline } from '../report/campaign-timeline.tsx'
import { CampaignTitle, NextCampaignHint } from '../list/campaign-title.tsx'
import { FailureList } from '../report/failure-list.tsx'
import { Funnel } from '../report/funnel.tsx'
import { MessagePhone } from '../report/message-phone.tsx'

/** A campaign of an account below, read-only: progress, message and failure reasons. */
export function allCampaignsPeek(campaign: AnyCampaign): Peek {
  return {
    title: <CampaignTitle campaign={campaign} />,
    name: campaign.campaignName,
    body: <AllCampaignsPeek key={campaign._id} campaign={campaign} />,
    footer: (
      <>
        <NextCampaignHint />
        <Button size="sm" className="ml-auto" asChild>
          <AreaLink to="users" search={writeView(listView, { search: campaign.organization.name })}>
            Open account
          </AreaLink>
        </Button>
      </>
    ),
  }
}

function AllCampaignsPeek({ campaign }: { campaign: AnyCampaign }) {
  const [tab, setTab] = useState<'overview' | 'failures' | 'number'>('overview')
  const detail = useApi('campaigns.watch', { path: { id: campaign._id } }, { refetchInterval: 10_000 })
  return (
    <>
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
      {tab === 'number' ? (
        <div className="p-5">
          <FindNumber campaignId={campaign._id} />
        </div>
      ) : null}
      {tab === 'failures' ? (
        <div className="px-5 py-2">
          <Region read={detail} label="the campaign" lines={8}>
            {({ failures }) => <FailureList failures={failures} />}
          </Region>
        </div>
      ) : null}
      {tab === 'overview' ? <Overview campaign={campaign} detail={detail} /> : null}
    </>
  )
}

type Detail = ReturnType<typeof useApi<'campaigns.watch'>>

function Overview({ campaign, detail }: { campaign: AnyCampaign; detail: Detail }) {
  const { channel, accountName, category, header, startedAt, stats } = campaign
  const isMobile = useIsMobile()
  const hasBegun = startedAt !== null || stats.submitted > 0
  return (
    <div className="flex flex-col">
      <CampaignProgress campaign={campaign} etaSeconds={null} />
      {hasBegun ? <PeekFigures campaign={campaign} /> : null}
      <div className="p-5">
        <Region read={detail} label="the campaign" lines={8}>
          {({ body, variables, stats: latest }) => (
            <div className="flex flex-col gap-6">
              {hasBegun ? (
                <section>
                  <h3 className="mb-2 font-semibold">Funnel</h3>
                  <Funnel stats={latest} channel={channel} />
                </section>
              ) : null}
              <div className="grid gap-6 md:grid-cols-[180px_minmax(0,1fr)]">
                <div className="flex justify-center max-md:order-last">
                  {body ? (
                    <MessagePhone
                      channel={channel}
                      message={{ header, accountName, category, text: { body, variables }, at: startedAt }}
                      scale={isMobile ? 0.6 : 0.5}
                    />
                  ) : null}
                </div>
                <div className="flex min-w-0 flex-col gap-5">
                  <section>
                    <h3 className="mb-2 font-semibold">Timeline</h3>
                    <CampaignTimeline timeline={timelineOf(campaign)} />
                  </section>
                  <FactList facts={factsOf(campaign)} />
                </div>
              </div>
            </div>
          )}
        </Region>
      </div>
    </div>
  )
}

function timelineOf({ account, createdAt, startedAt, completedAt, status }: AnyCampaign) {
  return [
    { event: 'created', at: createdAt, by: account.name },
    ...(startedAt ? [{ event: 'started', at: startedAt }] : []),
    ...(completedAt ? [{ event: status, at: completedAt }] : []),
  ]
}

function factsOf({ organization, templateName, header, accountName, fileName, _id }: AnyCampaign): Fact[] {
  return [
    { label: 'Organisation', value: organization.name || <Missing /> },
    { label: 'Template', value: templateName || <Missing why="none yet" /> },
    { label: 'Sender', value: header || accountName || <Missing why="none yet" /> },
    { label: 'Audience', value: fileName || <Missing why="none yet" /> },
    { label: 'Campaign id', value: <Copyable text={_id} /> },
  ]
}

/** The message to one person, found by digits of the number. */
function FindNumber({ campaignId }: { campaignId: string }) {
  const [typed, setTyped] = useState('')
  const digits = typed.replaceAll(/\D/g, '')
  const found = useApi(
    'campaigns.searchNumber',
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
                {total === 0 ? 'No matching numbers' : `${formatCount(total)} found`}
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

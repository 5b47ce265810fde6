import { sharesOf } from '@carillon/contract/figures'
import type { Campaign } from '@carillon/contract/campaign-records'
import { CircleCheck, FilePen, Lock, Pause, Send, TriangleAlert, type LucideIcon } from 'lucide-react'
import { onlyChannelOf } from '../../channels/own-channels.ts'
import { countOf, formatCount, formatKnownShare } from '../../lib/format.ts'
import { useUser } from '../../lib/session.ts'
import { wizardLink } from '../../lib/links.ts'
import { listView } from '../../lib/list-view.ts'
import { writeView } from '../../lib/url-state.ts'
import type { Search } from '../../lib/search.ts'
import { useApi } from '../../lib/use-api.ts'
import { useIncluded } from '../../lib/use-included.ts'
import { AreaLink } from '../../ui/area-link.tsx'
import { Card } from '../../ui/card.tsx'
import { Region } from '../../ui/region.tsx'
import { wizardOf } from '../../channels/campaign-wizards.ts'

type Step = { id: string; icon: LucideIcon; title: string; detail: string; to: string; search: Search }

const waiting = 'draft,ready,paused,completed'
const failing = 0.1

/** Up to three suggestions: paused, ready, failing or draft campaigns. */
export function NextSteps() {
  const user = useUser()
  const included = useIncluded('campaign')
  const campaigns = useApi(
    'campaigns.list',
    { query: { status: waiting, limit: 25, ...onlyChannelOf(user?.type) } },
    { refetchInterval: 60_000, enabled: included === true },
  )
  if (included === false) return <NoCampaigns />
  return (
    <Card title="Your next steps">
      <Region read={campaigns} label="your next steps" lines={3}>
        {(data) => {
          const steps = data.campaigns
            .flatMap(stepOf)
            .toSorted((a, b) => a.rank - b.rank)
            .slice(0, 3)
          return steps.length === 0 ? (
            <p className="flex items-center gap-2 px-4 pb-4 text-muted-foreground">
              <CircleCheck aria-hidden className="size-4 text-success-text" /> You’re all caught up
            </p>
          ) : (
            <ul className="grid md:grid-cols-3">
              {steps.map((step) => (
                <NextStep key={step.id} {...step} />
              ))}
            </ul>
          )
        }}
      </Region>
    </Card>
  )
}

function NoCampaigns() {
  return (
    <Card title="Your next steps">
      <p className="flex items-center gap-2 px-4 pb-4 text-muted-foreground">
        <Lock aria-hidden className="size-4" /> Ask your account manager to turn on campaigns for you.
      </p>
    </Card>
  )
}

function NextStep({ icon: Icon, title, detail, to, search }: Step) {
  return (
    <li className="border-t border-line md:border-l md:first:border-l-0">
      <AreaLink to={to} search={search} className="flex min-h-16 items-start gap-3 px-4 py-3 hover:bg-accent">
        <span className="mt-0.5 grid size-7 shrink-0 place-items-center rounded-md bg-secondary text-muted-foreground">
          <Icon aria-hidden className="size-4" />
        </span>
        <span className="min-w-0">
          <b className="block truncate font-medium">{title}</b>
          <small className="block text-dense text-muted-foreground">{detail}</small>
        </span>
      </AreaLink>
    </li>
  )
}

function stepOf(campaign: Campaign): (Step & { rank: number })[] {
  const { _id, campaignName, channel, status, stats } = campaign
  const record = { id: _id, to: 'campaigns', search: writeView(listView, { openId: _id }) }
  const wizard = { id: _id, to: wizardOf(channel), search: writeView(wizardLink, { draftId: _id }) }
  if (status === 'paused')
    return [
      {
        ...record,
        rank: 0,
        icon: Pause,
        title: `Resume ${campaignName}`,
        detail: stats.queued === 1 ? '1 person waiting' : `${formatCount(stats.queued)} people waiting`,
      },
    ]
  if (status === 'ready')
    return [
      {
        ...wizard,
        rank: 1,
        icon: Send,
        title: `Send ${campaignName}`,
        detail: `Checked, ${countOf(stats.total, 'person', 'people')}`,
      },
    ]
  const failed = sharesOf(stats)?.failed
  if (status === 'completed' && failed !== undefined && failed > failing)
    return [
      {
        ...record,
        rank: 2,
        icon: TriangleAlert,
        title: `See why ${campaignName} failed`,
        detail: `${formatKnownShare(failed)} did not arrive`,
      },
    ]
  return status === 'draft'
    ? [{ ...wizard, rank: 3, icon: FilePen, title: `Finish ${campaignName}`, detail: 'Saved draft' }]
    : []
}

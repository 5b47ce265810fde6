import { CircleCheck, LifeBuoy, OctagonX, Scale, TriangleAlert, Unplug, UserPlus, type LucideIcon } from 'lucide-react'
import { countOf, formatCount, formatMoney, formatPercent } from '../../lib/format.ts'
import type { CallData } from '../../lib/call.ts'
import { allCampaignsLink, usersLink } from '../../lib/links.ts'
import { writeView } from '../../lib/url-state.ts'
import type { Search } from '../../lib/search.ts'
import { openSupport } from '../../lib/support.ts'
import type { useApi } from '../../lib/use-api.ts'
import { AreaLink } from '../../ui/area-link.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Region } from '../../ui/region.tsx'
import { places } from './dashboard-view.ts'
import { useChannelTasks } from './use-channel-tasks.ts'

type Attention = CallData<'dashboard.attention'>

/** Items that need attention, most urgent first, each linked to its screen. */
export function AttentionCard({ read }: { read: ReturnType<typeof useApi<'dashboard.attention'>> }) {
  const tasks = useChannelTasks()
  return (
    <Card title="Needs attention">
      <Region read={read} label="what needs attention" lines={4}>
        {(data) => {
          const needs = [...needsOf(data), ...tasks]
          return needs.length === 0 ? (
            <p className="flex items-center gap-2 px-4 pb-4 text-muted-foreground">
              <CircleCheck aria-hidden className="size-4 text-success-text" /> You’re all caught up
            </p>
          ) : (
            <Needs needs={needs} />
          )
        }}
      </Region>
    </Card>
  )
}

export function Needs({ needs }: { needs: readonly Need[] }) {
  return (
    <ul>
      {needs.map((need) => (
        <NeedRow key={need.title} {...need} />
      ))}
    </ul>
  )
}

export type Need = {
  icon: LucideIcon
  tone: string
  title: string
  /** The accounts concerned, each with a number. */
  about: readonly { id: string; name: string; detail: string; to: string; search: Search }[]
  action?: { label: string; to: string; search: Search }
  /** Opens a panel that has no URL. */
  onOpen?: () => void
}

function needsOf(data: Attention): Need[] {
  const failing: Need = {
    icon: OctagonX,
    tone: 'text-danger-text',
    title: `${countOf(data.failingCount, 'campaign')} failing`,
    about: data.failingCampaigns.map(({ _id, name, account, failedShare }) => ({
      id: _id,
      name,
      detail: `${formatPercent(failedShare)} · ${account}`,
      to: 'campaigns',
      search: writeView(allCampaignsLink, { tab: 'needs_help', openId: _id }),
    })),
    action: { label: 'Open', ...places.needsHelp },
  }
  const low: Need = {
    icon: TriangleAlert,
    tone: 'text-warning-text',
    title: `${countOf(data.lowBalanceCount, 'account')} under ₹1,000`,
    about: data.lowBalance.map(({ _id, name, balance }) => ({
      id: _id,
      name,
      detail: formatMoney(balance),
      to: 'users',
      search: writeView(usersLink, { lowBalance: true, openId: _id }),
    })),
    action: { label: 'Review', ...places.lowBalance },
  }
  const registrations: Need = {
    icon: UserPlus,
    tone: 'text-info-text',
    title: `${countOf(data.registrations, 'registration')} to accept`,
    about: [],
    action: { label: 'Review', ...places.registrations },
  }
  const support: Need = {
    icon: LifeBuoy,
    tone: 'text-info-text',
    title: `${formatCount(data.supportRequests)} support ${data.supportRequests === 1 ? 'request' : 'requests'} open`,
    about: [],
    onOpen: () => openSupport(),
  }
  const failedConnections: Need = {
    icon: Unplug,
    tone: 'text-danger-text',
    title: `${countOf(data.failedConnectionCount, 'connection')} refused by the provider`,
    about: data.failedConnections.map(({ _id, name, account }) => ({
      id: _id,
      name,
      detail: account,
      to: 'users',
      search: {},
    })),
  }
  const mismatches: Need = {
    icon: Scale,
    tone: 'text-danger-text',
    title: `${countOf(data.mismatches, 'figure')} in reports to be checked`,
    about: [],
  }
  return [
    ...(data.mismatches > 0 ? [mismatches] : []),
    ...(data.failedConnectionCount > 0 ? [failedConnections] : []),
    ...(data.failingCount > 0 ? [failing] : []),
    ...(data.lowBalanceCount > 0 ? [low] : []),
    ...(data.registrations > 0 ? [registrations] : []),
    ...(data.supportRequests > 0 ? [support] : []),
  ]
}

function NeedRow({ icon: Icon, tone, title, about, action, onOpen }: Need) {
  return (
    <li className="border-t border-line py-2.5 pr-2 pl-4">
      <div className="flex min-h-7 items-center gap-2.5">
        <Icon aria-hidden className={`size-4 shrink-0 ${tone}`} />
        <b className="min-w-0 flex-1 truncate font-medium">{title}</b>
        {action ? (
          <Button variant="ghost" size="tool" asChild>
            <AreaLink to={action.to} search={action.search} aria-label={`${action.label}: ${title}`}>
              {action.label}
            </AreaLink>
          </Button>
        ) : null}
        {onOpen ? (
          <Button variant="ghost" size="tool" aria-label={`Open: ${title}`} onClick={onOpen}>
            Open
          </Button>
        ) : null}
      </div>
      {about.length > 0 ? (
        <ul className="pr-2 pl-6.5">
          {about.map(({ id, name, detail, to, search }) => (
            <li key={id} className="flex min-h-7 items-center gap-3 text-dense">
              <AreaLink to={to} search={search} className="min-w-0 flex-1 truncate hover:underline">
                {name}
              </AreaLink>
              <span className="max-w-40 truncate text-muted-foreground tabular-nums">{detail}</span>
            </li>
          ))}
        </ul>
      ) : null}
    </li>
  )
}

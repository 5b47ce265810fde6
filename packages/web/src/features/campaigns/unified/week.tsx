import type { Campaign } from '@carillon/contract/campaign-records'
import { planLimits, type PlannedCampaign } from '@carillon/contract/unified-campaigns'
import { CalendarDays, ChevronLeft, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { accountZone, calendarDay, formatCalendarDays, formatCount, formatTime } from '../../../lib/format.ts'
import { useApi } from '../../../lib/use-api.ts'
import { useIsMobile } from '../../../lib/use-is-mobile.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { PeekSheet } from '../../../ui/data-screen/peek-sheet.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { StatusPill } from '../../../ui/pill.tsx'
import { Region } from '../../../ui/region.tsx'
import { peekOfCampaign } from '../list/peek-of-campaign.tsx'
import { useCampaignActions } from '../list/use-campaign-actions.tsx'
import { ChannelMarks } from './channel-marks.tsx'
import { NewUnified } from './new-unified.tsx'
import type { ViewProps } from './unified-view.ts'
import { dayHeading } from './day-heading.ts'
import { byDay, movedWeek, weekOf } from './week-layout.ts'
import { WeekLanes } from './week-lanes.tsx'

/** Campaigns that are scheduled or sent in a week. */
export function Week({ view, setView }: ViewProps) {
  const [opened] = useState(() => Date.now())
  const today = calendarDay(opened)
  const current = weekOf(today)
  const range = view.week ?? current
  const isMobile = useIsMobile()
  const read = useApi('campaigns.week', { query: range }, { keepPrevious: true, refetchInterval: 15_000 })
  const show = (week: typeof range) => setView({ week: week.from === current.from ? undefined : week })
  const open = ({ _id }: PlannedCampaign) => setView({ openId: _id })
  const ids = read.data?.campaigns.map(({ _id }) => _id) ?? []
  return (
    <div className="py-4 screen-x">
      <div className="mb-4 flex flex-wrap items-center gap-2">
        <IconButton label="Previous week" variant="outline" size="sm" onClick={() => show(movedWeek(range, -1))}>
          <ChevronLeft aria-hidden />
        </IconButton>
        <IconButton label="Next week" variant="outline" size="sm" onClick={() => show(movedWeek(range, 1))}>
          <ChevronRight aria-hidden />
        </IconButton>
        <Button size="sm" aria-disabled={range.from === current.from} onClick={() => show(current)}>
          Today
        </Button>
        <h2 aria-live="polite" className="ml-2 text-section font-semibold tabular-nums">
          {formatCalendarDays(range)}
        </h2>
        <span className="ml-auto text-caption text-muted-foreground">{accountZone().replaceAll('_', ' ')}</span>
      </div>
      <Region read={read} label="the week" lines={8}>
        {({ campaigns, total }) => (
          <>
            {total > campaigns.length ? (
              <div className="mb-3">
                <Notice tone="info">
                  The first {formatCount(planLimits.campaigns)} of {formatCount(total)} campaigns are shown.
                </Notice>
              </div>
            ) : null}
            {campaigns.length === 0 ? (
              <Empty icon={CalendarDays} title="No campaigns this week" actions={<NewUnified variant="outline" />}>
                Scheduled and sent campaigns are shown here.
              </Empty>
            ) : isMobile ? (
              <Days campaigns={campaigns} range={range} onOpen={open} />
            ) : (
              <WeekLanes campaigns={campaigns} range={range} now={read.dataUpdatedAt} onOpen={open} />
            )}
          </>
        )}
      </Region>
      <OpenCampaign ids={ids} view={view} setView={setView} />
    </div>
  )
}

type DaysProps = {
  campaigns: readonly PlannedCampaign[]
  range: { from: string; to: string }
  onOpen: (campaign: PlannedCampaign) => void
}

/** On phones: a list by day. */
function Days({ campaigns, range, onOpen }: DaysProps) {
  return byDay(campaigns, range, calendarDay)
    .filter((day) => day.campaigns.length > 0)
    .map(({ day, campaigns: own }) => (
      <section key={day} aria-labelledby={`day-${day}`} className="mb-5">
        <h3 id={`day-${day}`} className="mb-1 text-dense font-semibold text-muted-foreground">
          {dayHeading(day)}
        </h3>
        <ul className="border-y border-border">
          {own.map((campaign) => (
            <li key={campaign._id} className="border-b border-line last:border-0">
              <button
                type="button"
                onClick={() => onOpen(campaign)}
                className="flex min-h-14 w-full flex-col gap-1 py-2.5 text-left"
              >
                <span className="flex w-full items-baseline gap-3">
                  <span className="min-w-0 flex-1 truncate font-medium">{campaign.campaignName}</span>
                  <span className="text-dense text-muted-foreground tabular-nums">{formatTime(campaign.beginsAt)}</span>
                </span>
                <span className="flex flex-wrap items-center gap-2">
                  <StatusPill status={campaign.status} />
                  <ChannelMarks channels={campaign.channels} />
                </span>
              </button>
            </li>
          ))}
        </ul>
      </section>
    ))
}

/** The sheet of the open campaign. */
function OpenCampaign({ ids, view, setView }: ViewProps & { ids: readonly string[] }) {
  const { menu, ask, dialogs } = useCampaignActions()
  const { openId } = view
  const read = useApi(
    'campaigns.get',
    { path: { id: openId ?? '' } },
    { enabled: openId !== undefined, refetchInterval: 5000 },
  )
  const campaign: Campaign | undefined = openId === undefined ? undefined : read.data
  return (
    <>
      <PeekSheet
        peek={campaign && peekOfCampaign(campaign, { menu: menu(campaign), ask })}
        rowId={openId}
        onClose={() => setView({ openId: undefined })}
        onStep={(by) => {
          const next = ids[ids.indexOf(openId ?? '') + by]
          if (next !== undefined) setView({ openId: next })
        }}
      />
      {dialogs}
    </>
  )
}

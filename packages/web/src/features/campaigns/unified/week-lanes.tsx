import type { Channel } from '@carillon/contract/channels'
import type { PlannedCampaign } from '@carillon/contract/unified-campaigns'
import clsx from 'clsx'
import { ChannelMark, channelLabel } from '../../../channels/channel-mark.tsx'
import { channelList, channels } from '../../../channels/index.ts'
import { accountZone, calendarDay, countOf, formatDateTime, formatTime } from '../../../lib/format.ts'
import { daysBetween } from '../../../lib/days.ts'
import { useWidth } from '../../../lib/use-width.ts'
import type { DayRange } from '../../../lib/url-state.ts'
import { campaignStatusLabel, StatusIcon } from '../../../ui/pill.tsx'
import { shortDay } from './day-heading.ts'
import { closedForAll, endsOfDays, laneOf, spanOfDays, type Bar, type Span } from './week-layout.ts'

type WeekLanesProps = {
  campaigns: readonly PlannedCampaign[]
  range: DayRange
  now: number
  onOpen: (campaign: PlannedCampaign) => void
}

/** The pixels that a bar's text needs. */
const narrowestBar = 112
const rowHeight = 44

/** A lane per channel with the campaigns as bars. */
export function WeekLanes({ campaigns, range, now, onOpen }: WeekLanesProps) {
  const today = calendarDay(now)
  const span = spanOfDays(range, accountZone())
  const days = daysBetween(range)
  const [box, width] = useWidth()
  const own = channelList.filter(
    ({ channel, campaigns: has }) => has ?? campaigns.some((one) => one.channels.includes(channel)),
  )
  return (
    <div className="border-y border-border">
      <div aria-hidden ref={box} className="ml-28 grid grid-cols-7 border-b border-border">
        {days.map((day) => (
          <span
            key={day}
            className={clsx(
              'border-l border-line px-2 py-2 text-dense tabular-nums',
              day === today ? 'font-semibold text-foreground' : 'text-muted-foreground',
            )}
          >
            {shortDay(day)}
          </span>
        ))}
      </div>
      {own.map(({ channel }) => (
        <Lane
          key={channel}
          channel={channel}
          campaigns={campaigns}
          span={span}
          days={days}
          narrowest={narrowestBar / width}
          today={today}
          now={now}
          onOpen={onOpen}
        />
      ))}
      {campaigns.some(({ sendWindow }) => sendWindow) ? (
        <p className="ml-28 flex items-center gap-2 border-t border-line px-2 py-2 text-caption text-muted-foreground">
          <span aria-hidden className={clsx('h-3 w-6 rounded-sm border border-line', closedPattern)} />
          Outside the sending hours
        </p>
      ) : null}
    </div>
  )
}

const closedPattern =
  'bg-[repeating-linear-gradient(135deg,transparent_0_3px,color-mix(in_oklab,var(--foreground)_22%,transparent)_3px_4px)]'

type LaneProps = Pick<WeekLanesProps, 'campaigns' | 'now' | 'onOpen'> & {
  today: string
  channel: Channel
  span: Span
  days: readonly string[]
  /** As a share of the week. */
  narrowest: number
}

function Lane({ channel, campaigns, span, days, narrowest, today, now, onOpen }: LaneProps) {
  const bars = laneOf(campaigns, channel, { span, dayEnds: endsOfDays(days, accountZone()), now, narrowest })
  const rows = Math.max(1, ...bars.map(({ row }) => row + 1))
  const own = bars.map(({ campaign }) => campaign.sendWindow)
  const closed = closedForAll(own, span)
  const nowShare = (now - span.from) / (span.to - span.from)
  return (
    <section aria-label={`${channelLabel(channel)} lane`} className="flex border-b border-line last:border-0">
      <div className="w-28 shrink-0 py-3 font-medium">
        <ChannelMark channel={channel} />
      </div>
      <div className="relative min-w-0 flex-1" style={{ height: rows * rowHeight + 12 }}>
        <div aria-hidden className="absolute inset-0 grid grid-cols-7">
          {days.map((day) => (
            <span key={day} className={clsx('border-l border-line', day === today && 'bg-brand-muted/40')} />
          ))}
        </div>
        {closed.map(({ from, to }) => (
          <span
            key={from}
            aria-hidden
            className={clsx('absolute inset-y-0', closedPattern)}
            style={{ left: percentOf(from - span.from, span), width: percentOf(to - from, span) }}
          />
        ))}
        {nowShare > 0 && nowShare < 1 ? (
          <span aria-hidden className="absolute inset-y-0 z-1 w-px bg-brand" style={{ left: `${nowShare * 100}%` }} />
        ) : null}
        <ul className="absolute inset-0">
          {bars.map((bar) => (
            <li
              key={bar.campaign._id}
              className="absolute px-px"
              style={{
                left: `${bar.left * 100}%`,
                width: `${bar.width * 100}%`,
                top: bar.row * rowHeight + 6,
                height: rowHeight - 4,
              }}
            >
              <BarButton bar={bar} channel={channel} onOpen={onOpen} />
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}

function percentOf(length: number, span: Span): string {
  return `${(length / (span.to - span.from)) * 100}%`
}

/** A line of text that is readable on the pattern of closed hours. */
const onBar = 'relative w-fit max-w-full bg-inherit'

/** A campaign as a button. */
function BarButton({ bar, channel, onOpen }: Pick<LaneProps, 'channel' | 'onOpen'> & { bar: Bar }) {
  const { campaign, left, width, sent, closed } = bar
  const { campaignName, status, beginsAt, people } = campaign
  const { mark } = channels[channel]
  const within = (share: number) => `${(share / width) * 100}%`
  return (
    <button
      type="button"
      onClick={() => onOpen(campaign)}
      title={`${campaignName} · ${formatDateTime(beginsAt)} · ${campaignStatusLabel(status)}`}
      className={clsx(
        'relative z-2 flex size-full flex-col justify-center overflow-hidden rounded-md border border-border bg-card pr-0.5 pl-2.5 text-left hover:bg-accent',
        status === 'scheduled' && 'border-dashed',
      )}
    >
      {sent.width < width
        ? null
        : closed.map((one) => (
            <span
              key={one.left}
              aria-hidden
              className={clsx('absolute inset-y-0', closedPattern)}
              style={{ left: within(one.left - left), width: within(one.width) }}
            />
          ))}
      <span className={clsx(onBar, 'truncate text-dense leading-4.5 font-medium')}>{campaignName}</span>
      <span
        className={clsx(onBar, 'flex items-center gap-0.75 text-caption leading-4 text-muted-foreground tabular-nums')}
      >
        <StatusIcon status={status} />
        <span className="overflow-hidden whitespace-nowrap">{formatTime(beginsAt)}</span>
      </span>
      <span className="sr-only">
        {[
          campaign.channels.map(channelLabel).join(', then '),
          formatDateTime(beginsAt),
          countOf(people, 'person', 'people'),
        ].join(', ')}
      </span>
      <span aria-hidden className={clsx('absolute inset-y-1 left-1 w-0.75 rounded-full', mark.fill)} />
      {sent.width < width && sent.width > width / 12 ? (
        <span
          aria-hidden
          className={clsx('absolute bottom-0 h-0.5 min-w-0.5', mark.fill)}
          style={{ left: within(sent.left - left), width: within(sent.width) }}
        />
      ) : null}
    </button>
  )
}

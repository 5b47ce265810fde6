import type { Channel } from '@carillon/contract/channels'
import clsx from 'clsx'
import { Letter } from '../ab-tests/letter.tsx'
import { ChannelMark, channelLabel } from '../../../channels/channel-mark.tsx'
import { channels } from '../../../channels/index.ts'
import { formatShare } from '../../../lib/format.ts'

type Part = {
  channel: Channel
  people: number
  /** Instead of the channel's name. */
  name?: string
  /** Not sent yet. */
  isFaint?: boolean
}

type SplitBarProps = {
  label: string
  /** The whole width; the rest stays empty. */
  total: number
  parts: readonly Part[]
}

/** The people of each channel as parts of one bar. */
export function SplitBar({ label, total, parts }: SplitBarProps) {
  const whole = Math.max(
    total,
    parts.reduce((sum, { people }) => sum + people, 0),
  )
  const texts = parts.map(
    ({ channel, people, name }) => `${name ?? channelLabel(channel)} ${formatShare(people, total)}`,
  )
  return (
    <div
      role="img"
      aria-label={`${label}: ${texts.join(', ')}`}
      className="flex h-3 gap-0.5 overflow-hidden rounded-full bg-track"
    >
      {parts.map(({ channel, people, isFaint }, index) =>
        people > 0 ? (
          <span
            key={`${channel}${index}`}
            className={clsx('block h-full', channels[channel].mark.fill, isFaint && 'opacity-40')}
            style={{ width: `${(people / whole) * 100}%` }}
          />
        ) : null,
      )}
    </div>
  )
}

type LegNameProps = {
  channel: Channel
  senderName: string
  templateName: string
  /** Of a message in an A/B test. */
  letter?: string | undefined
}

/** A leg by its letter, channel, sender and template. */
export function LegName({ channel, senderName, templateName, letter }: LegNameProps) {
  return (
    <p className="flex min-w-0 flex-wrap items-center gap-x-2 font-medium">
      {letter ? <Letter>{letter}</Letter> : null}
      <ChannelMark channel={channel} />
      <span className="min-w-0 truncate text-dense font-normal text-muted-foreground">
        {[senderName, templateName].filter(Boolean).join(' · ')}
      </span>
    </p>
  )
}

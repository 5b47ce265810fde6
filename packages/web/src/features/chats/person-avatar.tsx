import type { Channel } from '@carillon/contract/channels'
import clsx from 'clsx'
import { UserRound } from 'lucide-react'
import { memo } from 'react'
import { channels } from '../../channels/index.ts'
import { initialsOf } from './initials.ts'

type WindowRing = { tone: 'open' | 'soon' | 'closed' | 'none'; share: number }

type PersonAvatarProps = WindowRing & {
  name: string
  channel: Channel
  /** On a selected row. */
  isSelected?: boolean
}

const ringTones = {
  open: 'text-brand',
  soon: 'text-warning',
  closed: 'text-transparent',
  none: 'text-transparent',
} as const

const circumference = 2 * Math.PI * 20

/** Initials in a ring that shows how much of the window is left, with the channel's mark. */
export const PersonAvatar = memo(function PersonAvatar({ name, channel, tone, share, isSelected }: PersonAvatarProps) {
  const initials = initialsOf(name)
  const { icon: Icon, tint } = channels[channel].mark
  return (
    <span aria-hidden className="relative grid size-[42px] shrink-0 place-items-center">
      {tone === 'none' ? null : <Ring tone={tone} share={share} />}
      <span
        className={clsx(
          'grid size-[34px] place-items-center rounded-full text-caption font-semibold',
          isSelected ? 'bg-card' : 'bg-secondary',
          tone === 'closed' && 'text-muted-foreground',
        )}
      >
        {initials || <UserRound className="size-4 text-muted-foreground" />}
      </span>
      <span
        className={clsx(
          'absolute -right-0.5 -bottom-0.5 grid size-4 place-items-center rounded-[5px] ring-2',
          isSelected ? 'ring-selected' : 'ring-background',
          tint,
        )}
      >
        <Icon data-size className="size-2.5 stroke-2!" />
      </span>
    </span>
  )
})

function Ring({ tone, share }: WindowRing) {
  return (
    <svg viewBox="0 0 42 42" className={clsx('absolute inset-0 -rotate-90', ringTones[tone])} fill="none">
      <circle
        cx="21"
        cy="21"
        r="20"
        strokeWidth="2"
        className={tone === 'soon' ? 'stroke-warning opacity-30' : 'stroke-border'}
      />
      {share > 0 ? (
        <circle
          cx="21"
          cy="21"
          r="20"
          stroke="currentColor"
          strokeWidth="2"
          strokeDasharray={`${share * circumference} ${circumference}`}
        />
      ) : null}
    </svg>
  )
}

/** The initials of an account. */
export function AgentAvatar({ name, className = 'size-5' }: { name: string; className?: string }) {
  return (
    <span
      aria-hidden
      className={clsx('grid shrink-0 place-items-center rounded-full bg-secondary text-[10px] font-medium', className)}
    >
      {initialsOf(name) || <UserRound className="size-3" />}
    </span>
  )
}

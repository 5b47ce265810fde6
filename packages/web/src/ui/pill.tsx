import { fateLabels } from '@carillon/contract/figures'
import clsx from 'clsx'
import {
  Ban,
  CircleAlert,
  CircleCheck,
  CircleDashed,
  CircleHelp,
  Clock,
  Loader,
  OctagonX,
  Radio,
  TriangleAlert,
  type LucideIcon,
} from 'lucide-react'
import type { CampaignStatus, MessageStatus } from '@carillon/contract/campaign-records'
import type { ReactNode } from 'react'

const tones = {
  neutral: 'bg-neutral-muted text-neutral-text',
  info: 'bg-info-muted text-info-text',
  live: 'bg-brand-muted text-brand-text',
  good: 'bg-success-muted text-success-text',
  care: 'bg-warning-muted text-warning-text',
  bad: 'bg-danger-muted text-danger-text',
} as const

export type Tone = keyof typeof tones

const iconTones: Record<Tone, string> = {
  neutral: 'text-neutral-text',
  info: 'text-info-text',
  live: 'text-brand-text',
  good: 'text-success-text',
  care: 'text-warning-text',
  bad: 'text-danger-text',
}

type PillProps = { tone: Tone; icon?: LucideIcon; spin?: boolean; pulse?: boolean; children: ReactNode }

export function Pill({ tone, icon: Icon, spin, pulse, children }: PillProps) {
  return (
    <span
      data-tone={tone}
      className={clsx(
        'inline-flex h-5.5 items-center gap-1 rounded-sm pr-1.75 pl-1.5 align-middle text-caption font-medium whitespace-nowrap tabular-nums',
        'in-aria-selected:data-[tone=live]:bg-card',
        tones[tone],
      )}
    >
      {Icon ? (
        <Icon
          aria-hidden
          data-size
          className={clsx('size-3 stroke-2!', spin && 'animate-spin', pulse && 'animate-pulse-live')}
        />
      ) : null}
      {children}
    </span>
  )
}

type Look = { label: string; tone: Tone; icon: LucideIcon; spin?: true; pulse?: true }

const campaignLooks: Record<CampaignStatus, Look> = {
  draft: { label: 'Draft', tone: 'neutral', icon: CircleDashed },
  validating: { label: 'Validating', tone: 'info', icon: Loader, spin: true },
  ready: { label: 'Ready', tone: 'info', icon: CircleCheck },
  pending_approval: { label: 'For approval', tone: 'info', icon: Clock },
  scheduled: { label: 'Scheduled', tone: 'info', icon: Clock },
  queued: { label: 'Queued', tone: 'info', icon: Clock },
  running: { label: 'Running', tone: 'live', icon: Radio, pulse: true },
  paused: { label: 'Paused', tone: 'care', icon: TriangleAlert },
  completed: { label: 'Completed', tone: 'good', icon: CircleCheck },
  cancelled: { label: 'Cancelled', tone: 'neutral', icon: Ban },
  discarded: { label: 'Discarded', tone: 'neutral', icon: Ban },
  failed: { label: 'Failed', tone: 'bad', icon: OctagonX },
}

const messageLooks: Record<MessageStatus, Look> = {
  queued: { label: fateLabels.queued, tone: 'info', icon: Clock },
  skipped: { label: fateLabels.skipped, tone: 'neutral', icon: Ban },
  cancelled: { label: fateLabels.cancelled, tone: 'neutral', icon: Ban },
  unknown: { label: fateLabels.unknown, tone: 'care', icon: CircleHelp },
  unconfirmed: { label: fateLabels.unconfirmed, tone: 'care', icon: CircleHelp },
  sent: { label: fateLabels.sent, tone: 'live', icon: Radio },
  failed: { label: fateLabels.failed, tone: 'bad', icon: CircleAlert },
  delivered: { label: fateLabels.delivered, tone: 'good', icon: CircleCheck },
  read: { label: fateLabels.read, tone: 'good', icon: CircleCheck },
}

/** A campaign's status; words, icon and colour say the same. */
export function StatusPill({ status }: { status: CampaignStatus }) {
  return <LookPill {...campaignLooks[status]} />
}

/** The icon alone, where the word has no room. */
export function StatusIcon({ status }: { status: CampaignStatus }) {
  const { label, tone, icon: Icon } = campaignLooks[status]
  return <Icon role="img" aria-label={label} data-size className={clsx('size-3 shrink-0 stroke-2!', iconTones[tone])} />
}

export function MessagePill({ status }: { status: MessageStatus }) {
  return <LookPill {...messageLooks[status]} />
}

export function campaignStatusLabel(status: CampaignStatus): string {
  return campaignLooks[status].label
}

export function messageStatusLabel(status: MessageStatus): string {
  return messageLooks[status].label
}

function LookPill({ label, tone, icon, spin, pulse }: Look) {
  return (
    <Pill tone={tone} icon={icon} {...(spin ? { spin } : {})} {...(pulse ? { pulse } : {})}>
      {label}
    </Pill>
  )
}

import type { NumberQuality, WhatsappNumber } from '@carillon/contract/channels/whatsapp/whatsapp-accounts'
import { formatCount } from '../../lib/format.ts'
import type { Tone } from '../../ui/pill.tsx'

type Label = { label: string; tone: Tone }

export const numberQualityLabels: Record<NumberQuality, Label> = {
  green: { label: 'High', tone: 'good' },
  yellow: { label: 'Medium', tone: 'care' },
  red: { label: 'Low', tone: 'bad' },
  unknown: { label: 'Not rated yet', tone: 'neutral' },
}

/** Meta's list of states is open: unknown ones are shown as received. */
const numberStateLabels: Record<string, Label> = {
  CONNECTED: { label: 'Connected', tone: 'good' },
  PENDING: { label: 'Not registered', tone: 'care' },
  OFFLINE: { label: 'Offline', tone: 'care' },
  LINKED: { label: 'Linked', tone: 'good' },
  UNLINKED: { label: 'Unlinked', tone: 'care' },
  MIGRATED: { label: 'Moved away', tone: 'neutral' },
  DELETED: { label: 'Deleted', tone: 'neutral' },
  FLAGGED: { label: 'Flagged', tone: 'care' },
  RATE_LIMITED: { label: 'Limit reached', tone: 'care' },
  RESTRICTED: { label: 'Restricted', tone: 'bad' },
  BANNED: { label: 'Banned', tone: 'bad' },
}

const nameStateLabels: Record<string, Label> = {
  APPROVED: { label: 'Approved', tone: 'good' },
  AVAILABLE_WITHOUT_REVIEW: { label: 'No review needed', tone: 'good' },
  PENDING_REVIEW: { label: 'In review', tone: 'info' },
  DECLINED: { label: 'Declined', tone: 'bad' },
  EXPIRED: { label: 'Expired', tone: 'bad' },
  NONE: { label: 'No name', tone: 'neutral' },
}

export const stateOfNumber = ({ status }: Pick<WhatsappNumber, 'status'>) =>
  numberStateLabels[status] ?? fromMeta(status)
export const nameStateOf = ({ nameStatus }: Pick<WhatsappNumber, 'nameStatus'>) =>
  nameStateLabels[nameStatus] ?? fromMeta(nameStatus)

function fromMeta(word: string): Label {
  const lower = word.replaceAll('_', ' ').toLowerCase()
  return { label: lower === '' ? 'Unknown' : `${lower.slice(0, 1).toUpperCase()}${lower.slice(1)}`, tone: 'neutral' }
}

/** '10,000 people a day', or that there is no limit. */
export function limitLabel(limit: number | null): string {
  return limit === null ? 'No limit' : `${formatCount(limit)} / 24 h`
}

/** The steps of Meta's limit; null is unlimited. */
export const limitSteps: readonly (number | null)[] = [250, 2000, 10_000, 100_000, null]

/** The step of a limit; between two steps, the lower one. */
export function limitStepOf(limit: number | null): number {
  if (limit === null) return limitSteps.length - 1
  return Math.max(
    0,
    limitSteps.findLastIndex((rung) => rung !== null && rung <= limit),
  )
}

export function nextLimitLabel(limit: number | null): string {
  const next = limitSteps[limitStepOf(limit) + 1]
  if (next === undefined) return 'Highest tier: no limit on how many people you message first.'
  const half = formatCount(Math.ceil((limit ?? 0) / 2))
  const goal = next === null ? 'no limit' : formatCount(next)
  return `Next: ${goal}. Message ${half} different people within seven days at medium or high quality; Meta raises the limit within about six hours.`
}

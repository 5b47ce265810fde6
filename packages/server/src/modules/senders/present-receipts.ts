import type { ReceiptFindings } from '@carillon/contract/senders'
import { isClockInconsistent, learnedClock, learnedReading } from '../../channels/receipt-votes.ts'
import type { ReceiptRow } from './senders.queries.ts'

/** What receipts have shown, for the connection's details; `setting` is the account's time zone for receipts. */
export function presentReceipts(row: ReceiptRow, fixtures: unknown): ReceiptFindings {
  const idFormat = learnedReading(row.id_votes)
  const minutes = learnedClock(row.clock_votes)
  return {
    ...(idFormat ? { idFormat } : {}),
    idReceipts: row.id_receipts,
    idConflicts: row.id_conflicts,
    otherNumbers: row.other_numbers,
    clock: clockOf(row, minutes),
    ...(minutes === undefined ? {} : { utcOffset: offsetOf(fixtures, minutes) }),
    clockReceipts: row.clock_receipts,
  }
}

function clockOf({ clock_votes: votes }: ReceiptRow, minutes: number | undefined): ReceiptFindings['clock'] {
  if (minutes !== undefined) return minutes === 0 ? 'as-set' : 'differs'
  return isClockInconsistent(votes) ? 'inconsistent' : 'unknown'
}

/** `+05:30` plus this many minutes. */
function offsetOf(fixtures: unknown, more: number): string {
  const [, sign, hours, rest] = /^([+-])(\d\d):(\d\d)$/.exec(String(fixtures)) ?? []
  const minutes = (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(rest ?? 0)) + more
  const two = (value: number) => String(value).padStart(2, '0')
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`
}

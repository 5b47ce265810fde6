import type { StatusCounts } from '@carillon/contract/reports'
import type { z } from 'zod'
import { toRupees } from '../balance/index.ts'

type Column = 'submitted' | 'sent' | 'delivered' | 'read' | 'failed' | 'unconfirmed' | 'replied' | 'opted_out' | 'cost'

/** The numbers of a day, or of several, with what was refunded taken off the cost. */
export type CountedRow = Record<Column, number>

/** What is pending still is no matter of days. */
export function addUp(rows: readonly CountedRow[]): z.input<typeof StatusCounts> {
  const sum = (column: Column) => rows.reduce((total, row) => total + row[column], 0)
  return {
    submitted: sum('submitted'),
    sent: sum('sent'),
    delivered: sum('delivered'),
    read: sum('read'),
    failed: sum('failed'),
    unconfirmed: sum('unconfirmed'),
    pending: 0,
    replied: sum('replied'),
    optedOut: sum('opted_out'),
    cost: toRupees(sum('cost')),
  }
}

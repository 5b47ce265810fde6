import type { StatusCounts } from '@carillon/contract/reports'
import type { z } from 'zod'
import { toRupees } from '../balance/index.ts'

type Column = 'submitted' | 'sent' | 'delivered' | 'read' | 'failed' | 'unconfirmed' | 'replied' | 'opted_out' | 'cost'

/** Counts of one or more days, with refunds subtracted from the cost. */
export type CountedRow = Record<Column, number>

/** Pending messages do not belong to a day. */
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

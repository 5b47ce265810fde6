import { statementKindNames } from '@carillon/contract/billing'
import { ledgerRows } from '../../balance/index.ts'
import { lookUp, rupees, text, time, type ReportColumn } from '../report-columns.ts'
import type { ReportEntry } from '../report-entry.ts'
import { literal } from '../report-span.ts'

const balance: ReportColumn = {
  key: 'balance',
  title: 'Balance after (₹)',
  unit: 'rupees',
  value: 'trim_scale(balance / 10000.0)',
}

/** The entries that the account sees in statements, in the order in which they changed each balance. */
export const ledgerStatement: ReportEntry = {
  rows: 'groups',
  namesBelow: true,
  columns: ({ timezone }) => [
    time('at', 'Time', { value: 'at', timezone }),
    text('organization', 'Organization', 'organization'),
    text('account', 'Account', `coalesce(holder, 'Organization')`),
    text('kind', 'Type', lookUp(statementKindNames, 'kind')),
    text('description', 'Description', 'description'),
    text('campaign', 'Campaign', 'campaign'),
    rupees('debit', 'Debit', 'case when amount < 0 then -amount end'),
    rupees('credit', 'Credit', 'case when amount > 0 then amount end'),
    balance,
    text('entry', 'Entry', 'id'),
  ],
  source: ({ organization, span: { from, to } }) => `
    select ${literal(organization.name)} as organization, null::date as day, 0 as submitted, 0 as delivered, 0 as failed, entry.*
    from (${ledgerRows({ ...organization, from, to })}) entry
    order by holder_path, balance_id, at, id`,
}

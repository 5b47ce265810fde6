import { StatementKind, statementKindNames, type StatementEntry } from '@carillon/contract/billing'
import { FileDown, ReceiptIndianRupee } from 'lucide-react'
import { call } from '../../lib/call.ts'
import { download } from '../../lib/download.ts'
import { formatCredit, formatDateTime, formatMoney, formatMonth } from '../../lib/format.ts'
import { useApi } from '../../lib/use-api.ts'
import { useView } from '../../lib/use-view.ts'
import { Button } from '../../ui/button.tsx'
import { sourceOf, type Column } from '../../ui/data-screen/columns.ts'
import { FilterBar } from '../../ui/data-screen/filters.tsx'
import { ListPanel } from '../../ui/data-screen/list-panel.tsx'
import { Empty } from '../../ui/empty.tsx'
import { toast } from '../../ui/toast.tsx'
import { billingView, type BillingView } from './billing-view.ts'

const columns: readonly Column<StatementEntry>[] = [
  { id: 'what', header: 'What', cell: ({ description }) => <span className="font-medium">{description}</span> },
  { id: 'kind', header: 'Kind', width: 130, cell: ({ kind }) => statementKindNames[kind] },
  {
    id: 'amount',
    header: 'Amount',
    align: 'right',
    width: 150,
    cell: ({ amount }) => <Amount amount={amount} />,
  },
  { id: 'balance', header: 'Balance', align: 'right', width: 150, cell: ({ balance }) => formatMoney(balance) },
  {
    id: 'at',
    header: 'When',
    align: 'right',
    width: 190,
    cell: ({ at }) => <span className="text-muted-foreground">{formatDateTime(at)}</span>,
  },
]

/** Movements of the balance, each with the balance after it. */
export function StatementTab() {
  const [view, setView] = useView(billingView)
  const filter = {
    ...(view.range ? { from: view.range.from, to: view.range.to } : {}),
    ...(view.kind === 'any' ? {} : { kind: view.kind }),
  }
  const statement = useApi(
    'statement.list',
    { query: { ...filter, page: view.page, limit: view.pageSize } },
    { keepPrevious: true },
  )
  return (
    <>
      <div className="flex min-h-14 flex-wrap items-center gap-2 py-3 screen-x">
        <FilterBar
          filters={[
            {
              id: 'range',
              label: 'Days',
              kind: 'range',
              value: view.range,
              onChange: (range) => setView({ range, page: 1 }),
            },
            {
              id: 'kind',
              label: 'Kind',
              kind: 'choice',
              options: StatementKind.options.map((value) => ({ value, label: statementKindNames[value] })),
              value: view.kind === 'any' ? undefined : view.kind,
              // The filter contains only kinds.
              onChange: (kind) => setView({ kind: (kind ?? 'any') as BillingView['kind'], page: 1 }),
            },
          ]}
        />
        <span className="ml-auto flex gap-2">
          <Button size="sm" onClick={() => void save('csv', filter)}>
            <FileDown aria-hidden /> CSV
          </Button>
          <Button size="sm" onClick={() => void save('pdf', filter)}>
            <FileDown aria-hidden /> PDF
          </Button>
        </span>
      </div>
      {statement.data ? <Totals totals={statement.data} isPartial={view.kind !== 'any'} /> : null}
      {statement.data?.taxes.length ? <Taxes taxes={statement.data.taxes} /> : null}
      <ListPanel
        label="Statement"
        source={sourceOf(statement, statement.data?.entries)}
        columns={columns}
        rowId={({ _id }) => _id}
        rowName={({ description }) => description}
        card={(entry) => <EntryCard {...entry} />}
        empty={
          <Empty icon={ReceiptIndianRupee} title="No transactions">
            Top-ups, sends and refunds appear here as they happen.
          </Empty>
        }
        paging={{
          page: view.page,
          pageSize: view.pageSize,
          total: statement.data?.total,
          totalPages: statement.data?.totalPages,
          onPage: (page) => setView({ page }),
          onPageSize: (pageSize) => setView({ pageSize, page: 1 }),
        }}
      />
    </>
  )
}

type StatementFilter = { from?: string; to?: string; kind?: StatementEntry['kind'] }

async function save(format: 'csv' | 'pdf', query: StatementFilter) {
  try {
    const file = format === 'csv' ? await call('statement.csv', { query }) : await call('statement.pdf', { query })
    await download(file, `statement.${format}`)
  } catch (error) {
    toast.error(error instanceof Error ? error.message : 'Failed to download report')
  }
}

type Totals = Record<'opening' | 'closing' | 'moneyIn' | 'moneyOut', number>
type TotalsProps = {
  totals: Totals & { held?: number | undefined; available?: number | undefined }
  /** Filtered by kind: credits and debits do not add up to the closing balance. */
  isPartial: boolean
}

function Totals({ totals, isPartial }: TotalsProps) {
  const whole = isPartial ? undefined : totals
  return (
    <dl className="flex flex-wrap gap-x-10 gap-y-2 border-y border-line bg-sunken py-3 screen-x [&_dd]:font-medium [&_dd]:tabular-nums [&_dt]:text-caption [&_dt]:text-muted-foreground">
      {[
        ...(whole ? [['Opening', formatMoney(whole.opening)]] : []),
        ['In', formatMoney(totals.moneyIn)],
        ['Out', formatMoney(totals.moneyOut)],
        ...(whole ? [['Closing', formatMoney(whole.closing)]] : []),
        ...(whole?.held && whole.available !== undefined
          ? [
              ['Reserved for campaigns', formatMoney(whole.held)],
              ['Available', formatMoney(whole.available)],
            ]
          : []),
      ].map(([term, value]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

type TaxesProps = { taxes: { number: string; month: string; tax: number }[] }

function Taxes({ taxes }: TaxesProps) {
  return (
    <ul className="border-b border-line py-2 text-dense text-muted-foreground screen-x">
      {taxes.map(({ number, month, tax }) => (
        <li key={number}>
          {formatMoney(tax)} tax on invoice {number} for {formatMonth(month)}, not taken from the balance
        </li>
      ))}
    </ul>
  )
}

function Amount({ amount }: { amount: number }) {
  return <span className={amount > 0 ? 'font-medium text-success-text' : 'font-medium'}>{formatCredit(amount)}</span>
}

function EntryCard({ description, kind, amount, balance, at }: StatementEntry) {
  return (
    <div className="flex min-w-0 gap-3">
      <div className="min-w-0 flex-1">
        <b className="block font-medium break-words">{description}</b>
        <small className="text-caption text-muted-foreground">
          {statementKindNames[kind]} · {formatDateTime(at)}
        </small>
      </div>
      <div className="text-right tabular-nums">
        <Amount amount={amount} />
        <small className="block text-caption text-muted-foreground">{formatMoney(balance)}</small>
      </div>
    </div>
  )
}

import type { CustomerMargin, MarginTotals } from '@carillon/contract/margin'
import { FileDown, Percent } from 'lucide-react'
import { call } from '../../lib/call.ts'
import { download } from '../../lib/download.ts'
import { calendarDay, formatCredit, formatKnownShare, formatMoney } from '../../lib/format.ts'
import { useApi } from '../../lib/use-api.ts'
import type { DayRange } from '../../lib/url-state.ts'
import { useView } from '../../lib/use-view.ts'
import { Button } from '../../ui/button.tsx'
import { sourceOf, type Column } from '../../ui/data-screen/columns.ts'
import { FilterBar } from '../../ui/data-screen/filters.tsx'
import { ListPanel } from '../../ui/data-screen/list-panel.tsx'
import { Empty } from '../../ui/empty.tsx'
import { toast } from '../../ui/toast.tsx'
import { billingView } from './billing-view.ts'

const shareOf = ({ charged, margin }: Pick<CustomerMargin, 'charged' | 'margin'>) =>
  formatKnownShare(charged > 0 ? margin / charged : undefined)

const columns: readonly Column<CustomerMargin>[] = [
  { id: 'name', header: 'Customer', cell: ({ name }) => <b className="block truncate font-medium">{name}</b> },
  { id: 'charged', header: 'Charged', align: 'right', width: 150, cell: ({ charged }) => formatMoney(charged) },
  { id: 'cost', header: 'Your cost', align: 'right', width: 150, cell: ({ cost }) => formatMoney(cost) },
  { id: 'margin', header: 'Margin', align: 'right', width: 150, cell: (row) => <Earned {...row} /> },
  { id: 'share', header: 'Of charged', align: 'right', width: 110, cell: shareOf },
]

/** Charges to customers, the reseller's own cost of the same messages, and the resulting changes of its balance. */
export function MarginTab() {
  const [view, setView] = useView(billingView)
  const range = view.range ?? thisMonth()
  const margin = useApi(
    'margin.list',
    { query: { from: range.from, to: range.to, page: view.page, limit: view.pageSize } },
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
              value: range,
              onChange: (value) => setView({ range: value, page: 1 }),
            },
          ]}
        />
        <Button size="sm" className="ml-auto" onClick={() => void save(range)}>
          <FileDown aria-hidden /> CSV
        </Button>
      </div>
      {margin.data ? <Totals totals={margin.data.totals} /> : null}
      <ListPanel
        label="Margin by customer"
        source={sourceOf(margin, margin.data?.customers)}
        columns={columns}
        rowId={({ userId, name }) => userId ?? name}
        rowName={({ name }) => name}
        card={(row) => <CustomerCard {...row} />}
        empty={
          <Empty icon={Percent} title="No charges in this period">
            What accounts below yours are charged, and what it costs you, appears here.
          </Empty>
        }
        paging={{
          page: view.page,
          pageSize: view.pageSize,
          total: margin.data?.total,
          totalPages: margin.data?.totalPages,
          onPage: (page) => setView({ page }),
          onPageSize: (pageSize) => setView({ pageSize, page: 1 }),
        }}
      />
    </>
  )
}

function thisMonth(): DayRange {
  const to = calendarDay(Date.now())
  return { from: `${to.slice(0, 8)}01`, to }
}

async function save({ from, to }: DayRange) {
  try {
    await download(await call('margin.csv', { query: { from, to } }), `margin ${from} to ${to}.csv`)
  } catch (error) {
    toast.error(error instanceof Error ? error.message : 'Failed to download report')
  }
}

const list =
  'flex flex-wrap gap-x-10 gap-y-2 border-t border-line bg-sunken py-3 screen-x [&_dd]:font-medium [&_dd]:tabular-nums [&_dt]:text-caption [&_dt]:text-muted-foreground'

/** First the margin; then every change between opening and closing balance, which adds up. */
function Totals({ totals }: { totals: MarginTotals }) {
  const { opening, received, given, charged, cost, margin, ownUse, adjustments, closing } = totals
  return (
    <>
      <dl aria-label="Margin" className={list}>
        <Figure term="Charged to customers" value={charged} />
        <Figure term="Your cost" value={cost} />
        <Figure term={`Margin, ${shareOf(totals)} of charged`} value={margin} />
      </dl>
      <dl aria-label="Balance changes" className={`${list} border-b`}>
        <Figure term="Opening balance" value={opening} />
        <Figure term="Received" value={received} signed />
        <Figure term="Transferred to customers" value={-given} signed />
        <Figure term="Margin" value={margin} signed />
        {ownUse ? <Figure term="Own messages" value={-ownUse} signed /> : null}
        {adjustments ? <Figure term="Adjustments" value={adjustments} signed /> : null}
        <Figure term="Closing balance" value={closing} />
      </dl>
    </>
  )
}

function Figure({ term, value, signed = false }: { term: string; value: number; signed?: boolean }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{signed && value !== 0 ? formatCredit(value) : formatMoney(value || 0)}</dd>
    </div>
  )
}

function Earned({ margin }: { margin: number }) {
  return <b className={margin < 0 ? 'font-medium text-danger-text' : 'font-medium'}>{formatMoney(margin)}</b>
}

function CustomerCard({ name, charged, cost, margin }: CustomerMargin) {
  return (
    <div className="flex min-w-0 gap-3">
      <div className="min-w-0 flex-1">
        <b className="block truncate font-medium">{name}</b>
        <small className="text-caption text-muted-foreground">
          {formatMoney(charged)} charged · {formatMoney(cost)} cost
        </small>
      </div>
      <div className="text-right tabular-nums">
        <Earned margin={margin} />
        <small className="block text-caption text-muted-foreground">{shareOf({ charged, margin })}</small>
      </div>
    </div>
  )
}

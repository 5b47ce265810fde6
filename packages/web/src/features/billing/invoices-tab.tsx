import type { Invoice } from '@carillon/contract/billing'
import { FileDown, ReceiptText } from 'lucide-react'
import { call } from '../../lib/call.ts'
import { download } from '../../lib/download.ts'
import { formatDate, formatMoney, formatMonth } from '../../lib/format.ts'
import { useApi } from '../../lib/use-api.ts'
import { useView } from '../../lib/use-view.ts'
import { Button } from '../../ui/button.tsx'
import { sourceOf, type Column } from '../../ui/data-screen/columns.ts'
import { ListPanel } from '../../ui/data-screen/list-panel.tsx'
import { Empty } from '../../ui/empty.tsx'
import { toast } from '../../ui/toast.tsx'
import { billingView } from './billing-view.ts'

const columns: readonly Column<Invoice>[] = [
  { id: 'number', header: 'Invoice', cell: ({ number }) => <b className="font-medium">{number}</b> },
  { id: 'month', header: 'Month', width: 160, cell: (invoice) => formatMonth(invoice.month) },
  { id: 'subtotal', header: 'Usage', align: 'right', width: 140, cell: ({ subtotal }) => formatMoney(subtotal) },
  { id: 'tax', header: 'Tax', align: 'right', width: 120, cell: ({ tax }) => formatMoney(tax) },
  {
    id: 'total',
    header: 'Total',
    align: 'right',
    width: 140,
    cell: ({ total }) => <b className="font-medium">{formatMoney(total)}</b>,
  },
  {
    id: 'issued',
    header: 'Issued',
    align: 'right',
    width: 130,
    cell: ({ issuedOn }) => formatDate(`${issuedOn}T12:00:00Z`, 'UTC'),
  },
  {
    id: 'pdf',
    header: '',
    align: 'right',
    width: 90,
    cell: (invoice) => (
      <Button size="tool" variant="ghost" onClick={() => void save(invoice)}>
        <FileDown aria-hidden /> PDF
        <span className="sr-only">of {invoice.number}</span>
      </Button>
    ),
  },
]

/** Monthly invoices. */
export function InvoicesTab() {
  const [view, setView] = useView(billingView)
  const invoices = useApi('invoices.list', { query: { page: view.page, limit: view.pageSize } }, { keepPrevious: true })
  return (
    <ListPanel
      label="Invoices"
      source={sourceOf(invoices, invoices.data?.invoices)}
      columns={columns}
      rowId={({ _id }) => _id}
      rowName={({ number }) => number}
      rowMenu={(invoice) => [{ label: 'Download PDF', icon: FileDown, onSelect: () => void save(invoice) }]}
      card={(invoice) => <InvoiceCard {...invoice} />}
      empty={
        <Empty icon={ReceiptText} title="No invoices yet">
          Usage is invoiced on the first of the following month.
        </Empty>
      }
      paging={{
        page: view.page,
        pageSize: view.pageSize,
        total: invoices.data?.total,
        totalPages: invoices.data?.totalPages,
        onPage: (page) => setView({ page }),
      }}
    />
  )
}

async function save({ _id, number }: Invoice) {
  try {
    await download(await call('invoices.pdf', { path: { id: _id } }), `${number.replaceAll(/[^\w-]+/g, '-')}.pdf`)
  } catch (error) {
    toast.error(error instanceof Error ? error.message : 'Failed to download report')
  }
}

function InvoiceCard(invoice: Invoice) {
  return (
    <div className="flex min-w-0 gap-3">
      <div className="min-w-0 flex-1">
        <b className="block truncate font-medium">{invoice.number}</b>
        <small className="text-caption text-muted-foreground">{formatMonth(invoice.month)}</small>
      </div>
      <b className="font-medium tabular-nums">{formatMoney(invoice.total)}</b>
    </div>
  )
}

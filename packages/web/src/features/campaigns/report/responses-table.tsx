import type { Campaign, CampaignResponse, MessageStatus } from '@carillon/contract/campaign-records'
import type { CampaignDetail } from '@carillon/contract/campaigns'
import { channelTraits } from '@carillon/contract/channels/table'
import { Download, Search, X } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { formatCount, formatPhone, formatUnitPrice } from '../../../lib/format.ts'
import { useApi } from '../../../lib/use-api.ts'
import { Button } from '../../../ui/button.tsx'
import { ChannelMark } from '../../../channels/channel-mark.tsx'
import { Region } from '../../../ui/region.tsx'
import { Input } from '../../../ui/input.tsx'
import { MessagePill, messageStatusLabel } from '../../../ui/pill.tsx'
import { Select } from '../../../ui/select.tsx'
import { When } from '../../../ui/text.tsx'
import { downloadNumbers } from '../list/campaign-actions.ts'
import { RetargetButton } from './retarget-button.tsx'
import { describeShown, queryOf, type ShownRecipients } from './shown-recipients.ts'

const statuses: readonly MessageStatus[] = [
  'queued',
  'sent',
  'delivered',
  'read',
  'failed',
  'skipped',
  'unconfirmed',
  'cancelled',
]
const pageSize = 25

type ResponsesTableProps = {
  campaign: Pick<Campaign, '_id' | 'channel' | 'campaignName' | 'status'> &
    Partial<Pick<CampaignDetail, 'legs' | 'hasLinks'>>
  inset?: boolean
  /** Lists only the recipients of this number of the report. */
  shown?: ShownRecipients | undefined
  onClear?: () => void
}

/** Recipients with the status of each message; filtered by status and number. */
export function ResponsesTable({ campaign, inset = false, shown, onClear }: ResponsesTableProps) {
  const [status, setStatus] = useState<MessageStatus | 'all'>('all')
  const [number, setNumber] = useState('')
  const [page, setPage] = useState(1)
  const digits = number.replaceAll(/\D/g, '')
  const filter = { ...(status === 'all' ? {} : { status }), ...queryOf(shown) }
  const query = {
    campaignId: campaign._id,
    page,
    limit: pageSize,
    ...(digits.length >= 3 ? { number: digits } : {}),
    ...filter,
  }
  const channels = new Set(campaign.legs?.map(({ channel }) => channel) ?? [campaign.channel])
  const hasReadReceipts = [...channels].some((channel) => channelTraits[channel].hasReadReceipts)
  const responses = useApi('campaigns.responses', { query }, { keepPrevious: true })

  return (
    <section aria-label="Recipients" className="min-w-0">
      <div className={`flex flex-wrap items-center gap-2 py-3 ${inset ? '' : 'px-4'}`}>
        <Input
          size="sm"
          className="max-w-60"
          leading={<Search aria-hidden />}
          inputMode="tel"
          aria-label="Search a number"
          placeholder="Search a number"
          value={number}
          onChange={(event) => {
            setNumber(event.target.value)
            setPage(1)
          }}
        />
        <Select
          size="sm"
          aria-label="Status"
          value={status}
          options={[
            { value: 'all', label: 'Every status' },
            ...statuses
              .filter((value) => hasReadReceipts || value !== 'read')
              .map((value) => ({ value, label: messageStatusLabel(value) })),
          ]}
          onValueChange={(value) => {
            setStatus(value)
            setPage(1)
          }}
        />
        {responses.data ? (
          <Found count={responses.data.total}>
            <RetargetButton campaign={campaign} filter={filter} number={digits} />
          </Found>
        ) : null}
      </div>
      {shown ? (
        <div className={`flex flex-wrap items-center gap-2 pb-3 ${inset ? '' : 'px-4'}`}>
          <ShownChip label={describeShown(shown, campaign.legs ?? [])} onClear={onClear} />
          <Button
            size="sm"
            className="ml-auto"
            aria-label="CSV of these recipients"
            onClick={() => void downloadNumbers(campaign, queryOf(shown))}
          >
            <Download aria-hidden /> CSV
          </Button>
        </div>
      ) : null}
      <Region read={responses} label="recipients" lines={8}>
        {(found) => (
          <>
            <Rows responses={found.responses} campaign={campaign} inset={inset} />
            {found.totalPages > 1 ? <Pages page={page} total={found.totalPages} onPage={setPage} /> : null}
          </>
        )}
      </Region>
    </section>
  )
}

/** How many match, and what can be done with them if there are any. */
function Found({ count, children }: { count: number; children: ReactNode }) {
  return (
    <>
      <span className="ml-auto text-dense text-muted-foreground tabular-nums">{formatCount(count)}</span>
      {count > 0 ? children : null}
    </>
  )
}

type PagesProps = { page: number; total: number; onPage: (page: number) => void }

function Pages({ page, total, onPage }: PagesProps) {
  return (
    <div className="flex items-center justify-end gap-2 px-4 py-3 text-dense text-muted-foreground tabular-nums">
      Page {formatCount(page)} of {formatCount(total)}
      <Button size="sm" aria-disabled={page <= 1} onClick={() => onPage(page - 1)}>
        Previous
      </Button>
      <Button size="sm" aria-disabled={page >= total} onClick={() => onPage(page + 1)}>
        Next
      </Button>
    </div>
  )
}

function ShownChip({ label, onClear }: { label: string; onClear: (() => void) | undefined }) {
  return (
    <span className="inline-flex h-7 min-w-0 items-center overflow-hidden rounded-md border border-edge bg-card text-dense whitespace-nowrap">
      <b className="truncate px-2">{label}</b>
      <button
        type="button"
        aria-label={`Remove the filter ${label}`}
        onClick={onClear}
        className="grid h-full place-items-center border-l border-line px-1.5 text-muted-foreground hover:bg-accent"
      >
        <X aria-hidden className="size-4" />
      </button>
    </span>
  )
}

type RowsProps = { responses: CampaignResponse[] } & Required<Pick<ResponsesTableProps, 'campaign' | 'inset'>>

function Rows({ responses, campaign: { channel, hasLinks }, inset }: RowsProps) {
  if (responses.length === 0) return <p className="px-4 py-8 text-center text-muted-foreground">No recipients match.</p>
  const hasParts = channelTraits[channel].unit === 'part'
  const titles = [
    'Number',
    'Status',
    'When',
    ...(hasLinks ? ['Clicked'] : []),
    ...(hasParts ? ['Parts', 'Cost'] : ['Cost']),
  ]
  const edge = inset ? 'first:pl-0 last:pr-0' : 'first:pl-4 last:pr-4'
  return (
    <div className="relative overflow-x-auto" tabIndex={0} role="region" aria-label="Recipients table">
      <table className="w-full border-separate border-spacing-0 whitespace-nowrap tabular-nums">
        <thead>
          <tr>
            {titles.map((title) => (
              <th
                key={title}
                scope="col"
                className={`h-9 border-y border-border px-3 text-left text-caption font-medium text-muted-foreground ${edge} ${title === 'Parts' || title === 'Cost' ? 'text-right' : ''}`}
              >
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {responses.map((response) => (
            <tr key={response.seq} className="hover:[&>*]:bg-accent">
              <th
                scope="row"
                className={`h-11 border-b border-line px-3 text-left font-mono text-dense font-normal tracking-normal ${edge}`}
              >
                {formatPhone(response.phoneNumber)}
              </th>
              <td className={`border-b border-line px-3 ${edge}`}>
                <span className="flex items-center gap-2">
                  {hasParts ? null : <ChannelMark channel={response.channel} markOnly />}
                  <MessagePill status={response.status} />
                  {response.advice ? (
                    <span className="max-w-72 truncate text-dense text-muted-foreground" title={response.advice}>
                      {response.advice}
                    </span>
                  ) : null}
                </span>
              </td>
              <td className={`border-b border-line px-3 text-muted-foreground ${edge}`}>
                <When at={response.deliveredAt ?? response.failedAt ?? response.sentAt} />
              </td>
              {hasLinks ? (
                <td className={`border-b border-line px-3 text-muted-foreground ${edge}`}>
                  <When at={response.clickedAt} />
                </td>
              ) : null}
              {hasParts ? <td className={`border-b border-line px-3 text-right ${edge}`}>{response.parts}</td> : null}
              <td className={`border-b border-line px-3 text-right ${edge}`}>{formatUnitPrice(response.cost)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

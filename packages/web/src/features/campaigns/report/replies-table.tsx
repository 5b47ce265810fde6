import type { Campaign } from '@carillon/contract/campaign-records'
import type { Reply } from '@carillon/contract/replies'
import { FileDown, MessageSquare } from 'lucide-react'
import { useState } from 'react'
import { call, CallError, mayCall } from '../../../lib/call.ts'
import { download } from '../../../lib/download.ts'
import { formatPhone } from '../../../lib/format.ts'
import { useApi } from '../../../lib/use-api.ts'
import { Button } from '../../../ui/button.tsx'
import { ChannelMark } from '../../../channels/channel-mark.tsx'
import { PagedList } from '../../../ui/data-screen/paged-list.tsx'
import { SearchBox } from '../../../ui/data-screen/search-box.tsx'
import { Denied } from '../../../ui/denied.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { Region } from '../../../ui/region.tsx'
import { When } from '../../../ui/text.tsx'
import { toast } from '../../../ui/toast.tsx'

const pageSize = 25

type RepliesTableProps = { campaign: Pick<Campaign, '_id' | 'channel' | 'campaignName'> }

/** Replies, newest first. */
export function RepliesTable(props: RepliesTableProps) {
  return mayCall('replies.list') ? <Replies {...props} /> : <Denied />
}

function Replies({ campaign: { _id: id, channel, campaignName } }: RepliesTableProps) {
  const [search, setSearch] = useState('')
  const [page, setPage] = useState(1)
  const filter = search ? { search } : {}
  const replies = useApi(
    'replies.list',
    { path: { id }, query: { page, limit: pageSize, ...filter } },
    { keepPrevious: true },
  )

  async function save() {
    try {
      await download(await call('replies.csv', { path: { id }, query: filter }), `${campaignName} replies.csv`)
    } catch (error) {
      toast.error(error instanceof CallError ? error.message : 'Failed to download report')
    }
  }

  return (
    <section aria-label="Replies" className="min-w-0">
      <div className="flex flex-wrap items-center gap-2 pb-3">
        <SearchBox
          label="Search number or text"
          value={search}
          onValueChange={(next) => {
            setSearch(next)
            setPage(1)
          }}
        />
        <Button size="sm" className="ml-auto max-md:h-11" onClick={() => void save()}>
          <FileDown aria-hidden /> CSV
        </Button>
      </div>
      <Region read={replies} label="the replies" lines={6}>
        {({ replies: found, total, totalPages }) =>
          found.length === 0 ? (
            <Empty icon={MessageSquare} title={search ? 'No reply matches' : 'No replies yet'}>
              {search ? 'Try other digits or words.' : 'Replies to this campaign appear here.'}
            </Empty>
          ) : (
            <PagedList
              label="Replies"
              pagerClass="-mx-4"
              paging={{ page, pageSize, onPage: setPage, total, totalPages }}
            >
              {found.map((reply) => (
                <ReplyRow key={reply._id} reply={reply} isMixed={reply.channel !== channel} />
              ))}
            </PagedList>
          )
        }
      </Region>
    </section>
  )
}

/** The channel is named if it differs from the campaign's, as after failover. */
function ReplyRow({ reply, isMixed }: { reply: Reply; isMixed: boolean }) {
  return (
    <li className="flex flex-col gap-0.5 border-b border-line py-2.5">
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <span className="font-mono text-dense tracking-normal">{formatPhone(reply.phoneNumber)}</span>
        {isMixed ? <ChannelMark channel={reply.channel} /> : null}
        {reply.optedOut ? (
          <span className="rounded-full bg-warning-muted px-2 text-caption font-medium text-warning-text">
            Opted out
          </span>
        ) : null}
        <span className="ml-auto text-dense text-muted-foreground">
          <When at={reply.at} />
        </span>
      </div>
      <p dir="auto" className="break-words whitespace-pre-line">
        {reply.text || <span className="text-muted-foreground">Sent a file</span>}
      </p>
    </li>
  )
}

import { BellOff, CheckCheck } from 'lucide-react'
import { useState } from 'react'
import { formatDate } from '../../lib/format.ts'
import { useApiWrite } from '../../lib/use-api.ts'
import { useApiPages } from '../../lib/use-api-pages.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Region } from '../../ui/region.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { toast } from '../../ui/toast.tsx'
import { texts } from '../texts.ts'
import { mergeFeed, type FeedEntry } from './feed-entries.ts'
import { NotificationEntry } from './notification-entry.tsx'

type DrawerProps = { messages: readonly FeedEntry[]; onClose: () => void }
type Shown = 'all' | 'unread'

const filters = [
  { value: 'all', label: 'All' },
  { value: 'unread', label: 'Unread' },
] as const

/** All notifications by day. */
export function NotificationDrawer({ messages, onClose }: DrawerProps) {
  const [shown, setShown] = useState<Shown>('all')
  const pages = useApiPages('notifications.list', {
    inputOf: (page) => ({ query: { page, limit: 25, ...(shown === 'unread' ? { unread: 'true' as const } : {}) } }),
    hasMore: ({ totalPages }, page) => page < totalPages,
  })
  const read = useApiWrite('notifications.read', {
    refreshes: ['notifications.list'],
    onError: ({ message }) => toast.error(message),
  })
  const unread = pages.data?.pages[0]?.unread ?? 0

  function open({ _id, isNew, isLocal }: FeedEntry) {
    if (isNew && !isLocal) read.mutate({ body: { ids: [_id] } })
    onClose()
  }
  return (
    <Sheet
      open
      onOpenChange={onClose}
      title="Notifications"
      actions={
        <Button
          size="sm"
          variant="ghost"
          disabled={unread === 0}
          loading={read.isPending}
          onClick={() => read.mutate({ body: {} })}
        >
          <CheckCheck aria-hidden /> Mark all read
        </Button>
      }
    >
      <div className="shrink-0 border-b border-border px-5 py-3">
        <Segmented label="Show" value={shown} options={filters} onValueChange={setShown} />
      </div>
      <div className="max-h-[800px] overflow-y-auto overscroll-contain">
        <Region read={pages} label="notifications" lines={8}>
          {({ pages: loaded }) => (
            <Days
              entries={mergeFeed(
                shown === 'all' ? messages : [],
                loaded.flatMap(({ notifications }) => notifications),
              )}
              shown={shown}
              onOpen={open}
            />
          )}
        </Region>
        {pages.hasNextPage ? (
          <div className="grid place-items-center p-3">
            <Button size="sm" loading={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
              Load older
            </Button>
          </div>
        ) : null}
      </div>
    </Sheet>
  )
}

type DaysProps = { entries: readonly FeedEntry[]; shown: Shown; onOpen: (entry: FeedEntry) => void }

function Days({ entries, shown, onOpen }: DaysProps) {
  if (entries.length === 0) {
    return (
      <Empty icon={BellOff} title={shown === 'all' ? texts.noNotifications : 'Nothing unread'}>
        {shown === 'all' ? 'Finished campaigns, replies and top-ups appear here.' : undefined}
      </Empty>
    )
  }
  return [...Map.groupBy(entries, ({ at }) => dayOf(at))].map(([day, own]) => (
    <section key={day} aria-label={day}>
      <h3 className="sticky top-0 z-1 bg-muted px-4 py-1.5 text-caption font-medium text-muted-foreground">{day}</h3>
      <ul>
        {own.map((entry) => (
          <NotificationEntry key={entry._id} entry={entry} onOpen={onOpen} />
        ))}
      </ul>
    </section>
  ))
}

const dayMs = 86_400_000

function dayOf(at: string): string {
  const day = formatDate(at)
  if (day === formatDate(Date.now())) return 'Today'
  return day === formatDate(Date.now() - dayMs) ? 'Yesterday' : day
}

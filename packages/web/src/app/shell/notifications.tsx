import { Bell, BellOff } from 'lucide-react'
import { useState } from 'react'
import { Button, IconButton } from '../../ui/button.tsx'
import { lazyDialog } from '../../ui/lazy-dialog.tsx'
import { Popover } from '../../ui/popover.tsx'
import { Region } from '../../ui/region.tsx'
import { texts } from '../texts.ts'
import type { FeedEntry } from './feed-entries.ts'
import { NotificationEntry } from './notification-entry.tsx'
import { useNotificationFeed } from './notification-feed.ts'

const Drawer = lazyDialog(() => import('./notification-drawer.tsx').then((code) => code.NotificationDrawer))

/** The bell: a dot for unread notifications, a panel with the latest, a drawer with all. */
export function Notifications() {
  const feed = useNotificationFeed()
  const [panelOpen, setPanelOpen] = useState(false)
  const [drawerOpen, setDrawerOpen] = useState(false)

  function openPanel(open: boolean) {
    setPanelOpen(open)
    if (open) feed.see()
    else feed.forgetMarks()
  }
  return (
    <>
      <Popover
        label="Notifications"
        align="end"
        open={panelOpen}
        onOpenChange={openPanel}
        className="flex w-[350px] max-w-[calc(100vw-16px)] flex-col"
        trigger={
          <IconButton label="Notifications" className="relative max-md:size-11">
            <Bell aria-hidden />
            {feed.hasNew && !panelOpen ? (
              <span className="absolute top-1.5 right-1.5 size-2.5 rounded-full border-2 border-background bg-brand max-md:top-2.5 max-md:right-2.5">
                <span className="sr-only">New notifications</span>
              </span>
            ) : null}
          </IconButton>
        }
      >
        <h2 className="flex h-11 items-center border-b border-border px-4 font-semibold">Notifications</h2>
        <div className="max-h-[400px] overflow-y-auto overscroll-contain">
          <Region read={feed.latest} label="notifications">
            {() => <Entries entries={feed.entries} onOpen={() => openPanel(false)} />}
          </Region>
        </div>
        {feed.entries.length > 0 ? (
          <Button
            variant="ghost"
            className="m-1"
            onClick={() => {
              openPanel(false)
              setDrawerOpen(true)
            }}
          >
            {texts.viewAll}
          </Button>
        ) : null}
      </Popover>
      {drawerOpen ? <Drawer messages={feed.messages} onClose={() => setDrawerOpen(false)} /> : null}
    </>
  )
}

function Entries({ entries, onOpen }: { entries: readonly FeedEntry[]; onOpen: (entry: FeedEntry) => void }) {
  if (entries.length === 0) {
    return (
      <p className="flex flex-col items-center gap-2 px-4 py-10 text-muted-foreground">
        <BellOff aria-hidden className="size-5" />
        {texts.noNotifications}
      </p>
    )
  }
  return (
    <ul>
      {entries.map((entry) => (
        <NotificationEntry key={entry._id} entry={entry} onOpen={onOpen} />
      ))}
    </ul>
  )
}

import { Bell, BellOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import { formatPhone, formatRelative } from '../../lib/format.ts'
import { onIncoming, type Incoming } from '../../lib/socket.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Popover } from '../../ui/popover.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { texts } from '../texts.ts'
import { playPing } from './ping.ts'

type Notification = { id: string; from: string; text: string; at: string; isNew: boolean }

const kept = 100

/** The bell: a dot for what is new, a panel with the latest, a drawer with all. */
export function Notifications() {
  const [entries, setEntries] = useState<readonly Notification[]>([])
  const [panelOpen, setPanelOpen] = useState(false)
  const [drawerOpen, setDrawerOpen] = useState(false)
  const unread = entries.some(({ isNew }) => isNew)

  useEffect(
    () =>
      onIncoming((message) => {
        setEntries((known) => [notificationOf(message), ...known].slice(0, kept))
        playPing()
      }),
    [],
  )

  function openPanel(open: boolean) {
    setPanelOpen(open)
    if (!open) setEntries((known) => known.map((entry) => ({ ...entry, isNew: false })))
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
            {unread && !panelOpen ? (
              <span className="absolute top-1.5 right-1.5 size-2.5 rounded-full border-2 border-background bg-brand">
                <span className="sr-only">New notifications</span>
              </span>
            ) : null}
          </IconButton>
        }
      >
        <h2 className="flex h-11 items-center border-b border-border px-4 font-semibold">Notifications</h2>
        <div className="max-h-[400px] overflow-y-auto">
          <Entries entries={entries} />
        </div>
        {entries.length > 0 ? (
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
      <Sheet open={drawerOpen} onOpenChange={setDrawerOpen} title="Notifications">
        <div className="max-h-[800px] overflow-y-auto">
          <Entries entries={entries} />
        </div>
      </Sheet>
    </>
  )
}

function Entries({ entries }: { entries: readonly Notification[] }) {
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
      {entries.map(({ id, from, text, at, isNew }) => (
        <li key={id} className="flex gap-3 border-b border-line px-4 py-2.5 text-dense last:border-0">
          <div className="min-w-0 flex-1">
            <b className="block truncate">{from}</b>
            <p className="truncate text-muted-foreground">{text}</p>
          </div>
          <time dateTime={at} className="text-caption text-muted-foreground tabular-nums">
            {formatRelative(at)}
          </time>
          {isNew ? (
            <span className="mt-1.5 size-2 rounded-full bg-brand">
              <span className="sr-only">new</span>
            </span>
          ) : null}
        </li>
      ))}
    </ul>
  )
}

function notificationOf({ messageId, senderPhoneNumber, text, sendTime }: Incoming): Notification {
  return {
    id: messageId,
    from: formatPhone(senderPhoneNumber),
    text: text ?? '',
    at: sendTime ?? new Date().toISOString(),
    isNew: true,
  }
}

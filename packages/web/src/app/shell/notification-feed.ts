import type { NotificationKind } from '@carillon/contract/notifications'
import { useQueryClient } from '@tanstack/react-query'
import type { EndpointName } from '@carillon/contract'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { call } from '../../lib/call.ts'
import { showOnDesktop } from '../../lib/desktop-notifications.ts'
import { formatNumberName } from '../../lib/format.ts'
import { currentPreferences } from '../../lib/preferences.ts'
import { onIncoming, onNotification, type Incoming } from '../../lib/socket.ts'
import { refresh, useApi } from '../../lib/use-api.ts'
import { addMessage, mergeFeed, type FeedEntry } from './feed-entries.ts'
import { usePlaceOf } from './notification-place.ts'
import { playPing } from './ping.ts'

const panelSize = 20

/** Reads that a notification makes stale. */
const touched: Partial<Record<NotificationKind, readonly EndpointName[]>> = {
  support_opened: ['support.list', 'support.get', 'support.messages'],
  support_answered: ['support.list', 'support.get', 'support.messages'],
  topup_requested: ['topUps.list'],
  topup_approved: ['topUps.list', 'balance.get', 'balance.resellerBalances'],
  topup_rejected: ['topUps.list'],
  balance_low: ['balance.get', 'balance.resellerBalances'],
  account_registered: ['users.list'],
  report_ready: ['reportFiles.list', 'reportFiles.details'],
  report_failed: ['reportFiles.list', 'reportFiles.details'],
  report_schedule_failed: ['reportSchedules.list', 'reportSchedules.deliveries'],
}

/** Content of the bell: stored notifications, and incoming messages until they are stored. */
export function useNotificationFeed() {
  const queries = useQueryClient()
  const latest = useApi('notifications.list', { query: { limit: panelSize } }, { refetchInterval: 120_000 })
  const [messages, setMessages] = useState<readonly FeedEntry[]>([])
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set())
  const reading = useRef<Promise<unknown>>(Promise.resolve())
  const placeOf = usePlaceOf()

  function read(entries: readonly FeedEntry[]) {
    const ids = entries.filter(({ isLocal }) => !isLocal).map(({ _id }) => _id)
    if (ids.length > 0) reading.current = call('notifications.read', { body: { ids } }).catch(() => undefined)
  }

  const announce = useEffectEvent((entry: FeedEntry) => {
    playPing()
    const { _id, kind, title, description, link } = entry
    showOnDesktop({
      title: formatNumberName(title),
      body: description,
      tag: link?.type === 'conversation' ? `${kind}:${link.id}` : _id,
      onClick() {
        setSeen((known) => new Set([...known, _id]))
        read([entry])
        placeOf(entry)?.()
      },
    })
  })

  useEffect(() => {
    const stops = [
      onIncoming((message: Incoming) => {
        // Of the others the server stores those that concern the account.
        if (currentPreferences().chatNotifications !== 'all') return
        setMessages((known) => addMessage(known, message))
        const [entry] = addMessage([], message)
        if (entry) announce(entry)
      }),
      onNotification((event) => {
        announce(event)
        void refresh(queries, ['notifications.list', ...(touched[event.kind] ?? [])])
      }),
    ]
    return () => stops.forEach((stop) => stop())
  }, [queries])

  const entries = mergeFeed(messages, latest.data?.notifications ?? [])
  const fresh = entries.filter(({ _id, isNew }) => isNew && !seen.has(_id))

  /** Marks the visible entries as seen, but not those further down. */
  function see() {
    setSeen(new Set(entries.map(({ _id }) => _id)))
    read(fresh)
  }

  /** 'New' marks stay while the panel is open; entries that came meanwhile were visible. */
  function forgetMarks() {
    see()
    const visible = new Set(entries.map(({ _id }) => _id))
    setMessages((known) => known.map((entry) => (visible.has(entry._id) ? { ...entry, isNew: false } : entry)))
    void reading.current.then(() => refresh(queries, ['notifications.list']))
  }

  return { latest, messages, entries, hasNew: fresh.length > 0, see, forgetMarks }
}

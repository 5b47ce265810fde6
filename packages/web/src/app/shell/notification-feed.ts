import type { Notification, NotificationKind } from '@carillon/contract/notifications'
import { useQueryClient } from '@tanstack/react-query'
import type { EndpointName } from '@carillon/contract'
import { useEffect, useState } from 'react'
import { call } from '../../lib/call.ts'
import { formatPhone } from '../../lib/format.ts'
import { onIncoming, onNotification, type Incoming } from '../../lib/socket.ts'
import { refresh, useApi } from '../../lib/use-api.ts'
import { playPing } from './ping.ts'

/** One entry of the bell: a notification or an inbound message. */
export type FeedEntry = Omit<Notification, 'kind'> & { kind: Notification['kind'] | 'message' }

const kept = 100
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
}

/** Content of the bell: stored notifications and, while the page is open, incoming messages. */
export function useNotificationFeed() {
  const queries = useQueryClient()
  const latest = useApi('notifications.list', { query: { limit: panelSize } }, { refetchInterval: 120_000 })
  const [messages, setMessages] = useState<readonly FeedEntry[]>([])
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set())

  useEffect(() => {
    const stops = [
      onIncoming((message) => {
        setMessages((known) => [entryOf(message), ...known].slice(0, kept))
        playPing()
      }),
      onNotification(({ kind }) => {
        playPing()
        void refresh(queries, ['notifications.list', ...(touched[kind] ?? [])])
      }),
    ]
    return () => stops.forEach((stop) => stop())
  }, [queries])

  const entries = merge(messages, latest.data?.notifications ?? [])
  const fresh = entries.filter(({ _id, isNew }) => isNew && !seen.has(_id))

  /** Marks the visible entries as seen, but not those further down. */
  function see() {
    setSeen(new Set(entries.map(({ _id }) => _id)))
    const ids = fresh.filter(({ kind }) => kind !== 'message').map(({ _id }) => _id)
    if (ids.length > 0) void call('notifications.read', { body: { ids } }).catch(() => undefined)
  }

  /** 'New' marks stay while the panel is open. */
  function forgetMarks() {
    setMessages((known) => known.map((entry) => (seen.has(entry._id) ? { ...entry, isNew: false } : entry)))
    void refresh(queries, ['notifications.list'])
  }

  return { latest, messages, entries, hasNew: fresh.length > 0, see, forgetMarks }
}

/** Newest first. */
export function merge(messages: readonly FeedEntry[], notifications: readonly Notification[]): FeedEntry[] {
  return [...messages, ...notifications].toSorted((a, b) => b.at.localeCompare(a.at))
}

function entryOf({ messageId, senderPhoneNumber, text, sendTime }: Incoming): FeedEntry {
  return {
    _id: messageId,
    kind: 'message',
    title: formatPhone(senderPhoneNumber),
    description: text ?? '',
    isNew: true,
    at: sendTime ?? new Date().toISOString(),
  }
}

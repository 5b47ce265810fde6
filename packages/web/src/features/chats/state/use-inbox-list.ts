import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import type { Conversation } from '@carillon/contract/conversation-records'
import { call } from '../../../lib/call.ts'
import { onReconnected } from '../../../lib/connection.ts'
import { currentUser } from '../../../lib/session.ts'
import { onChat, onSocketReturn } from '../../../lib/socket.ts'
import type { InboxQuery } from '../chats-view.ts'
import { InboxList, rememberConversations, type InboxState } from './inbox-list.ts'
import { noteServerTime } from './server-clock.ts'

type Context = { accountId: string | undefined; openId: string | undefined }

/** Lists of tabs that were shown, so that a tab shows its last rows at once while it is loaded again. */
const lists = new Map<string, InboxList>()
const keptLists = 8
let owner: string | undefined

function listOf(query: InboxQuery): InboxList {
  const username = currentUser()?.username
  if (owner !== username) lists.clear()
  owner = username
  const key = JSON.stringify(query)
  const known = lists.get(key)
  const list = known ?? new InboxList(query)
  lists.delete(key)
  lists.set(key, list)
  for (const old of [...lists.keys()].slice(0, -keptLists)) lists.delete(old)
  return list
}

/** The list of a tab, kept up to date by events and, after a disconnect, by what changed meanwhile. */
export function useInboxList(query: InboxQuery, { accountId, openId }: Context): [InboxList, InboxState] {
  const key = JSON.stringify(query)
  // The key is the query.
  const list = useMemo(() => listOf(JSON.parse(key) as InboxQuery), [key])
  const state = useSyncExternalStore(list.subscribe, list.read)

  useEffect(() => list.setContext({ accountId, keptId: openId }), [list, accountId, openId])
  useEffect(() => {
    void list.load()
  }, [list])
  useEffect(() => {
    const catchUp = () => void catchUpWith(list)
    const stops = [
      onChat('conversation', ({ conversation }) => takeConversations([conversation])),
      onChat('conversationGone', ({ chatId }) => list.change({ conversations: [], gone: [chatId] })),
      onSocketReturn(catchUp),
      onReconnected(catchUp),
    ]
    return () => stops.forEach((stop) => stop())
  }, [list])
  return [list, state]
}

/** Shows changed conversations in all lists and in the open thread. */
export function takeConversations(conversations: readonly Conversation[]) {
  rememberConversations(conversations)
  for (const list of lists.values()) list.change({ conversations, gone: [] })
}

/** A conversation leaves the lists that show it, as soon as the server has answered. */
export function leaveLists(chatId: string, answer: Promise<unknown>) {
  for (const list of lists.values()) list.leave(chatId, answer)
}

/** Reads what changed while there was no connection. */
async function catchUpWith(list: InboxList) {
  const since = list.cursor
  if (!since) return list.load()
  try {
    const changes = await call('conversations.changes', { query: { since } })
    noteServerTime(changes.now)
    list.cursor = changes.cursor
    if (changes.isStale) return await list.load()
    rememberConversations(changes.conversations)
    list.change({ conversations: changes.conversations, gone: changes.gone })
  } catch {
    // The next reconnection tries again from the same cursor.
  }
  return undefined
}

/** Selected rows: a set of ids that forgets those that left the list. */
export function useSelection(rows: readonly Conversation[]) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [isOn, setOn] = useState(false)
  const selected = useMemo(() => {
    if (chosen.size === 0) return chosen
    const present = new Set(rows.map(({ chatId }) => chatId))
    return new Set([...chosen].filter((id) => present.has(id)))
  }, [rows, chosen])
  return {
    selected,
    /** Rows have boxes, and a press selects. */
    isChoosing: isOn || selected.size > 0,
    begin: () => setOn(true),
    toggle: (id: string) =>
      setChosen((known) => {
        const next = new Set(known)
        if (!next.delete(id) && next.size < 100) next.add(id)
        return next
      }),
    clear() {
      setChosen(new Set())
      setOn(false)
    },
  }
}

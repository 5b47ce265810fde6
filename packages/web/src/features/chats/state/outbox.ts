import type { MessageBody, ReplyContent, ThreadItem } from '@carillon/contract/conversation-records'
import { useSyncExternalStore } from 'react'
import { call, CallError } from '../../../lib/call.ts'
import { onReconnected } from '../../../lib/connection.ts'
import { readFormDraft, saveFormDraft } from '../../../lib/form-drafts.ts'
import { currentUser } from '../../../lib/session.ts'

/** A reply that the server has not accepted yet. */
export type OutboxEntry = {
  clientId: string
  chatId: string
  content: ReplyContent
  inReplyTo?: string
  at: string
  /** What its bubble shows. */
  body: MessageBody
  quoted?: string
  /** `waiting`: there is no connection. */
  state: 'sending' | 'waiting' | 'failed'
  error?: string
}

type Kept = { entries: OutboxEntry[] }
type Accepted = { chatId: string; item: ThreadItem }
type Refused = { entry: OutboxEntry; error: CallError }

const name = 'chats-outbox'
let entries: readonly OutboxEntry[] = []
let owner: string | undefined
/** Replies that this tab has read or written; others in the store belong to another tab. */
const own = new Set<string>()
const listeners = new Set<() => void>()
const accepted = new Set<(event: Accepted) => void>()
const refused = new Set<(event: Refused) => void>()
const busy = new Set<string>()

function all(): readonly OutboxEntry[] {
  const username = currentUser()?.username
  if (owner === username) return entries
  owner = username
  own.clear()
  // Those that were under way when the page was closed are sent again; the server accepts a `clientId` once.
  entries = stored().map((entry) => (entry.state === 'sending' ? { ...entry, state: 'waiting' } : entry))
  for (const { clientId } of entries) own.add(clientId)
  return entries
}

function stored(): OutboxEntry[] {
  return readFormDraft<Kept>(name, { entries: [] })?.form.entries ?? []
}

function set(next: readonly OutboxEntry[]) {
  entries = next
  for (const { clientId } of next) own.add(clientId)
  const others = stored().filter(({ clientId }) => !own.has(clientId))
  saveFormDraft(name, { form: { entries: [...others, ...next] }, savedAt: Date.now(), base: '' }, 'browser')
  for (const listener of listeners) listener()
}

const patch = (clientId: string, change: Partial<OutboxEntry>) =>
  set(all().map((entry) => (entry.clientId === clientId ? { ...entry, ...change } : entry)))

const remove = (clientId: string) => set(all().filter((entry) => entry.clientId !== clientId))

export type NewReply = Pick<OutboxEntry, 'chatId' | 'content' | 'body' | 'inReplyTo' | 'quoted'>

/** Shows a reply at once and sends it, or keeps it until there is a connection. Returns its `clientId`. */
export function sendReply(reply: NewReply): string {
  const entry: OutboxEntry = {
    ...reply,
    clientId: crypto.randomUUID(),
    at: new Date().toISOString(),
    state: 'sending',
  }
  set([...all(), entry])
  void sendNext(entry.chatId)
  return entry.clientId
}

export function retryReply(clientId: string) {
  const entry = all().find((candidate) => candidate.clientId === clientId)
  if (!entry) return
  patch(clientId, { state: 'sending' })
  void sendNext(entry.chatId)
}

export function discardReply(clientId: string) {
  remove(clientId)
}

/** Sends what waits for a connection, in the order in which it was written. */
export function sendWaiting() {
  const chats = new Set(all().flatMap(({ state, chatId }) => (state === 'failed' ? [] : [chatId])))
  for (const chatId of chats) void sendNext(chatId)
}

/** Replies of a conversation are sent one after the other, so that they keep their order. */
async function sendNext(chatId: string) {
  if (busy.has(chatId)) return
  busy.add(chatId)
  try {
    let entry = nextOf(chatId)
    while (entry && (await send(entry))) entry = nextOf(chatId)
  } finally {
    busy.delete(chatId)
  }
}

function nextOf(chatId: string): OutboxEntry | undefined {
  return all().find((entry) => entry.chatId === chatId && entry.state !== 'failed')
}

/** False if there is no connection. */
async function send({ clientId, chatId, content, inReplyTo }: OutboxEntry): Promise<boolean> {
  patch(clientId, { state: 'sending' })
  try {
    const body = { clientId, content, ...(inReplyTo ? { inReplyTo } : {}) }
    const item = await call('conversations.reply', { path: { id: chatId }, body }, { key: clientId })
    announceAccepted({ chatId, item })
    remove(clientId)
    return true
  } catch (error) {
    return noteFailure(clientId, error)
  }
}

function noteFailure(clientId: string, error: unknown): boolean {
  const entry = all().find((candidate) => candidate.clientId === clientId)
  if (!entry || !(error instanceof CallError)) throw error
  if (error.code === 'network' || error.status === 503) {
    patch(clientId, { state: 'waiting' })
    return false
  }
  if (error.code === 'outside_window') remove(clientId)
  else patch(clientId, { state: 'failed', error: error.message })
  for (const listener of refused) listener({ entry, error })
  return true
}

/** Shows an item that a call returned, before its event arrives. */
export function announceAccepted(event: Accepted) {
  for (const listener of accepted) listener(event)
}

/** The server accepted a reply. */
export function onAccepted(listener: (event: Accepted) => void): () => void {
  accepted.add(listener)
  return () => accepted.delete(listener)
}

/** The server refused a reply. */
export function onRefused(listener: (event: Refused) => void): () => void {
  refused.add(listener)
  return () => refused.delete(listener)
}

const none: readonly OutboxEntry[] = []
let byChat: { of: readonly OutboxEntry[]; chats: Map<string, readonly OutboxEntry[]> } | undefined

function entriesOf(chatId: string): readonly OutboxEntry[] {
  const of = all()
  if (byChat?.of !== of) byChat = { of, chats: Map.groupBy(of, (entry) => entry.chatId) }
  return byChat.chats.get(chatId) ?? none
}

/** The replies of a conversation that were not accepted yet. */
export function useOutbox(chatId: string): readonly OutboxEntry[] {
  return useSyncExternalStore(listen, () => entriesOf(chatId))
}

function listen(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

onReconnected(sendWaiting)

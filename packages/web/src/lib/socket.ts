import type { Channel } from '@carillon/contract/channels'
import type { ThreadItem } from '@carillon/contract/conversation-records'
import { socketTiming, typingEventType } from '@carillon/contract/constants'
import type {
  ConversationEvent,
  ConversationGoneEvent,
  NotificationEvent,
  ProgressUpdate,
  ThreadItemEvent,
  ViewersEvent,
} from '@carillon/contract/realtime'
import type { Socket } from 'socket.io-client'
import { useSyncExternalStore } from 'react'
import { loadCode } from './load-code.ts'
import { queries } from './queries.ts'
import { currentUser } from './session.ts'

/** The fields of an incoming message that the client uses. */
export type Incoming = {
  channel: Channel
  chatId: string
  messageId: string
  senderPhoneNumber: string
  text?: string
  sendTime?: string
  name?: string
  /** The message in its thread, as our own server sends it. */
  item?: ThreadItem
}

/** Events about conversations, each with the `chatId`. */
type ChatTopic = {
  conversation: ConversationEvent & { chatId: string }
  conversationGone: ConversationGoneEvent
  threadItem: ThreadItemEvent
  viewers: ViewersEvent
  typingStatus: { chatId: string; isTyping?: boolean }
}

type Topic = ChatTopic & {
  message: Incoming
  progressUpdate: ProgressUpdate
  notification: NotificationEvent
  /** The connection is back, or the account sees other conversations: events were missed. */
  reconnected: undefined
}
type Listeners = { [Key in keyof Topic]: Set<(payload: Topic[Key]) => void> }

const listeners: Listeners = {
  message: new Set(),
  progressUpdate: new Set(),
  typingStatus: new Set(),
  notification: new Set(),
  conversation: new Set(),
  conversationGone: new Set(),
  threadItem: new Set(),
  viewers: new Set(),
  reconnected: new Set(),
}
let socket: Socket | undefined
const socketListeners = new Set<() => void>()

/** At most one event about typing for each chat in this time. */
const typingEveryMs = 5000
const typingSentAt = new Map<string, number>()

/** Connects the signed-in account's socket; no-op without a token. Returns the disconnect function. */
export function connectSocket(): () => void {
  const token = currentUser()?.token
  if (!token) return () => {}
  let opened: Socket | undefined
  let isEnded = false
  // The library is loaded after the shell, which does not need it to be shown.
  loadCode(() => import('socket.io-client')).then(
    ({ io }) => {
      if (isEnded) return
      opened = io({ transports: ['websocket'], query: { token }, ...socketTiming })
      socket = opened
      listen(opened)
    },
    (error: unknown) => logProblem('the client could not be loaded', error),
  )
  return () => {
    isEnded = true
    opened?.disconnect()
    if (socket === opened) socket = undefined
  }
}

function listen(opened: Socket) {
  opened.on('connect_error', (error) => logProblem('connection error', error))
  opened.on('connect', announceState)
  opened.on('disconnect', announceState)
  // Events between reading the list and connecting were not pushed.
  opened.once('connect', () => void queries.invalidateQueries({ queryKey: ['notifications.list'] }))
  // Events during the disconnect were missed: reload what is on screen.
  opened.io.on('reconnect', catchUp)
  opened.on('eventsMissed', catchUp)
  opened.on('message', (payload: unknown) => take(payload))
  opened.on('progressUpdate', (payload: unknown) => handleProgress(payload))
  for (const topic of ['typingStatus', 'conversationGone', 'threadItem', 'viewers'] as const)
    opened.on(topic, (payload: unknown) => handleChat(topic, parse(payload)))
  opened.on('conversation', (payload: unknown) => handleConversation(parse(payload)))
  opened.on('notification', (payload: unknown) => handleNotification(payload))
}

/** Events were not sent to this browser: what is on screen is read again. */
function catchUp() {
  void queries.invalidateQueries()
  publish('reconnected', undefined)
}

/** Registers a callback for campaign progress; returns the unsubscribe function. */
export function onProgress(listener: (update: ProgressUpdate) => void): () => void {
  return subscribe('progressUpdate', listener)
}

export function onIncoming(listener: (message: Incoming) => void): () => void {
  return subscribe('message', listener)
}

/** A notification for the account was pushed. */
export function onNotification(listener: (event: NotificationEvent) => void): () => void {
  return subscribe('notification', listener)
}

/** Registers a callback for an event about conversations; returns the unsubscribe function. */
export function onChat<Key extends keyof ChatTopic>(
  topic: Key,
  listener: (payload: ChatTopic[Key]) => void,
): () => void {
  return subscribe(topic, listener)
}

/** The connection was lost and is back, or the account sees other conversations. */
export function onSocketReturn(listener: () => void): () => void {
  return subscribe('reconnected', listener)
}

/** Whether the real-time connection is open. */
export function useSocketOpen(): boolean {
  return useSyncExternalStore(
    (listener) => {
      socketListeners.add(listener)
      return () => socketListeners.delete(listener)
    },
    () => socket?.connected === true,
  )
}

function announceState() {
  for (const listener of socketListeners) listener()
}

function subscribe<Key extends keyof Topic>(topic: Key, listener: (payload: Topic[Key]) => void): () => void {
  listeners[topic].add(listener)
  return () => {
    listeners[topic].delete(listener)
  }
}

/** Without a connection nothing is sent, and a log entry is written. */
export function emit(event: 'message' | 'event', payload: object): boolean {
  if (!socket?.connected) {
    logProblem('not connected', event)
    return false
  }
  socket.emit(event, JSON.stringify(payload))
  return true
}

function take(payload: unknown) {
  const message = messageOf(parse(payload))
  if (!message) return
  announceTyping(message)
  publish('message', message)
  const { chatId, item } = message
  if (item) publish('threadItem', { chatId, item })
}

/** Sent on each incoming message, as specified; several of a chat within a few seconds are one event. */
function announceTyping({ chatId, messageId, senderPhoneNumber, channel }: Incoming) {
  const now = Date.now()
  if (now - (typingSentAt.get(chatId) ?? -typingEveryMs) < typingEveryMs) return
  for (const [chat, at] of typingSentAt) if (now - at >= typingEveryMs) typingSentAt.delete(chat)
  typingSentAt.set(chatId, now)
  emit('event', { eventType: typingEventType, chatId, messageId, phoneNumber: senderPhoneNumber, channel })
}

/** Our own server pushes these in the shape of the contract. */
function handleChat<Key extends Exclude<keyof ChatTopic, 'conversation'>>(topic: Key, event: unknown) {
  if (isRecord(event) && typeof event['chatId'] === 'string') publish(topic, event as Topic[Key])
}

function handleConversation(event: unknown) {
  if (!isRecord(event) || !isRecord(event['conversation'])) return
  // Our own server pushes it in the shape of the contract.
  const { conversation } = event as ConversationEvent
  publish('conversation', { chatId: conversation.chatId, conversation })
}

function handleProgress(payload: unknown) {
  const update = parse(payload)
  // Our own server pushes it in the shape of the contract.
  if (isRecord(update) && typeof update['campaignId'] === 'string') publish('progressUpdate', update as ProgressUpdate)
}

function handleNotification(payload: unknown) {
  const event = parse(payload)
  // Our own server pushes it in the shape of the contract.
  if (isRecord(event) && typeof event['_id'] === 'string') publish('notification', event as NotificationEvent)
}

function publish<Key extends keyof Topic>(topic: Key, payload: Topic[Key]) {
  for (const listener of listeners[topic]) listener(payload)
}

/** Connection problems are only logged, as specified. */
function logProblem(what: string, detail: unknown) {
  // oxlint-disable-next-line no-console
  console.warn(`Real-time connection: ${what}`, detail)
}

/** Texts are JSON; what cannot be parsed is logged and ignored. */
function parse(payload: unknown): unknown {
  if (typeof payload !== 'string') return payload
  try {
    return JSON.parse(payload)
  } catch (error) {
    logProblem('unparseable data', error)
    return undefined
  }
}

/** The message may be at the top level or under `message`. */
function messageOf(payload: unknown): Incoming | undefined {
  if (!isRecord(payload)) return undefined
  const inner = isRecord(payload['message']) ? { ...payload, ...payload['message'] } : payload
  const { channel, chatId, messageId, senderPhoneNumber } = inner
  if (![channel, chatId, messageId, senderPhoneNumber].every((value) => typeof value === 'string')) return undefined
  // The four fields above were checked; the others are optional.
  return inner as unknown as Incoming
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

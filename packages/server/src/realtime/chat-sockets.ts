import {
  type EventsMissedEvent,
  ChatEvent,
  ChatMessage,
  type ConversationEvent,
  type ConversationGoneEvent,
  type FailedStatus,
  type IncomingMessage,
  type ThreadItemEvent,
  type TypingStatus,
  type ViewersEvent,
} from '@carillon/contract/realtime'
import type { Server, Socket } from 'socket.io'
import type { UserActor } from '../actor.ts'
import { inBackground } from '../lib/background.ts'
import { coalesce } from '../lib/coalesce.ts'
import type { Logger } from '../lib/logger.ts'
import { Problem } from '../lib/problem.ts'
import { readFrame } from './read-frame.ts'
import { actorOf } from './session-checks.ts'

/** What the inbox decides: who is in which room, and what events of clients do. */
export type ChatHooks = {
  /** The rooms of accounts by id; those that may not use the inbox are in none. Always read from the database. */
  findRooms(actors: readonly UserActor[]): Promise<ReadonlyMap<string, readonly string[]>>
  /** The rooms of those who see each of these conversations, by its id. */
  findConversationRooms(chats: readonly OpenChat[]): Promise<ReadonlyMap<string, readonly string[]>>
  onMessage(actor: UserActor, message: ChatMessage): Promise<void>
  /** Returns whether the account has the conversation open from now on. */
  onEvent(actor: UserActor, event: ChatEvent): Promise<'open' | 'closed' | 'unchanged'>
  /** The last socket of the account in this process that had the conversation open was closed. */
  onLeft(actor: UserActor, chatId: string): Promise<void>
}

type Payloads = {
  message: IncomingMessage
  conversation: ConversationEvent
  conversationGone: ConversationGoneEvent
  threadItem: ThreadItemEvent
  viewers: ViewersEvent
  typingStatus: TypingStatus
}

export type ChatPush = {
  [Event in keyof Payloads]: {
    event: Event
    payload: Payloads[Event]
    rooms: readonly string[]
    /** Sockets in these rooms get nothing. */
    except?: readonly string[]
  }
}[keyof Payloads]

export type ChatSockets = {
  /** Puts the socket into its rooms. Called before it is connected. */
  admit(socket: Socket): Promise<void>
  serve(socket: Socket): void
  /** Moves sockets to the rooms of their accounts' present access. */
  recheck(sockets: readonly Socket[]): Promise<void>
  push(push: ChatPush): void
  /** Conversations that accounts connected to this process have open. */
  openChats(): OpenChat[]
}

export type OpenChat = { organizationId: string; chatId: string }

/** The room of those who have a conversation open. */
export const openRoom = (chatId: string) => `open:${chatId}`

const prefix = 'chat:'
const isOpenRoom = (room: string) => room.startsWith(prefix + openRoom(''))
const chatOfRoom = (room: string) => room.slice((prefix + openRoom('')).length)

export function createChatSockets(io: Server, { logger, hooks }: { logger: Logger; hooks: ChatHooks }): ChatSockets {
  const admissions = createAdmissions(hooks)
  /** The rooms that each socket is in, besides those of open conversations. */
  const joined = new WeakMap<Socket, string>()

  function move(socket: Socket, rooms: readonly string[]) {
    const state = rooms.toSorted().join(' ')
    const before = joined.get(socket)
    if (before === state) return
    joined.set(socket, state)
    const names = new Set(rooms.map((room) => prefix + room))
    const left = [...socket.rooms].filter((room) => room.startsWith(prefix) && !isOpenRoom(room) && !names.has(room))
    const moves = [...left.map(async (room) => socket.leave(room)), Promise.resolve(socket.join([...names]))]
    inBackground(Promise.all(moves), { name: 'moving a socket to its rooms', logger })
    if (before !== undefined) socket.emit('eventsMissed', {} satisfies EventsMissedEvent)
  }

  const { closeUnseen, isOpenElsewhere } = createOpenChats(io, hooks)

  return {
    admit: admissions.admit,
    serve(socket) {
      const actor = actorOf(socket)
      move(socket, admissions.roomsOf(socket))
      const inOrder = createSequence(logger)
      socket.on('message', (frame: unknown) => {
        const message = readFrame(frame, ChatMessage, logger)
        if (message) inOrder(() => sendOrRefuse(socket, message, hooks))
      })
      socket.on('event', (frame: unknown) => {
        const event = readFrame(frame, ChatEvent, logger)
        if (event)
          inOrder(async () => {
            const result = await hooks.onEvent(actor, event)
            const room = prefix + openRoom(event.chatId)
            if (result === 'open' && socket.connected) await socket.join(room)
            if (result === 'closed') await socket.leave(room)
          })
      })
      socket.on('disconnecting', () => {
        for (const room of socket.rooms)
          if (isOpenRoom(room) && !isOpenElsewhere(socket, room))
            inBackground(hooks.onLeft(actor, chatOfRoom(room)), { name: 'leaving a conversation', logger })
      })
    },
    async recheck(sockets) {
      const rooms = await findRoomsOf(sockets, hooks)
      for (const socket of sockets) move(socket, rooms.get(actorOf(socket).accountId) ?? [])
      await closeUnseen(sockets, rooms)
    },
    push({ event, payload, rooms, except = [] }) {
      const named = (room: string) => prefix + room
      io.to(rooms.map(named)).except(except.map(named)).emit(event, payload)
    },
    openChats: () => listOpenChats([...io.sockets.sockets.values()]),
  }
}

async function findRoomsOf(sockets: readonly Socket[], { findRooms }: ChatHooks) {
  const actors = new Map(sockets.map((socket) => [actorOf(socket).accountId, actorOf(socket)]))
  return findRooms([...actors.values()])
}

const atOnce = { size: 200, waitMs: 20, quietMs: 1 }

/** Finds the rooms of sockets that are about to be connected, together: after a restart all browsers reconnect at once. */
function createAdmissions(hooks: ChatHooks) {
  const admitted = new WeakMap<Socket, readonly string[]>()
  const admit = coalesce<Socket>(async (sockets) => {
    const rooms = await findRoomsOf(sockets, hooks)
    for (const socket of sockets) admitted.set(socket, rooms.get(actorOf(socket).accountId) ?? [])
  }, atOnce)
  return {
    admit: (socket: Socket) => admit([socket]),
    roomsOf: (socket: Socket) => admitted.get(socket) ?? [],
  }
}

/** The conversations that sockets have open. */
function createOpenChats(io: Server, hooks: Pick<ChatHooks, 'findConversationRooms' | 'onLeft'>) {
  /** Sockets leave the conversations that their account does not see any more. */
  async function closeUnseen(sockets: readonly Socket[], roomsByAccount: ReadonlyMap<string, readonly string[]>) {
    const chats = listOpenChats(sockets)
    const asked = new Set(chats.map(({ chatId }) => chatId))
    const seeing = await hooks.findConversationRooms(chats)
    for (const socket of sockets) {
      const actor = actorOf(socket)
      const own = new Set(roomsByAccount.get(actor.accountId))
      for (const room of [...socket.rooms].filter(isOpenRoom)) {
        // One that was opened meanwhile was checked then.
        if (!asked.has(chatOfRoom(room))) continue
        if (seeing.get(chatOfRoom(room))?.some((each) => own.has(each))) continue
        await socket.leave(room)
        if (!isOpenElsewhere(socket, room)) await hooks.onLeft(actor, chatOfRoom(room))
      }
    }
  }

  /** Sockets of the account, other than this one, that have a conversation open. */
  function isOpenElsewhere(socket: Socket, room: string): boolean {
    const ids = [...(io.sockets.adapter.rooms.get(room) ?? [])]
    const { accountId } = actorOf(socket)
    return ids.some((id) => {
      const other = io.sockets.sockets.get(id)
      return other !== undefined && other !== socket && actorOf(other).accountId === accountId
    })
  }

  return { closeUnseen, isOpenElsewhere }
}

function listOpenChats(sockets: readonly Socket[]): OpenChat[] {
  const chats = new Map<string, OpenChat>()
  for (const socket of sockets)
    for (const room of socket.rooms)
      if (isOpenRoom(room)) {
        const chatId = chatOfRoom(room)
        chats.set(chatId, { chatId, organizationId: actorOf(socket).organizationId })
      }
  return [...chats.values()]
}

/** The browser learns why its message was refused. */
async function sendOrRefuse(socket: Socket, message: ChatMessage, { onMessage }: ChatHooks): Promise<void> {
  try {
    await onMessage(actorOf(socket), message)
  } catch (error) {
    const { chatId, phoneNumber, channel, messageObject } = message
    const { clientId } = messageObject
    const failed: FailedStatus = {
      chatId,
      phoneNumber,
      channel,
      ...(typeof clientId === 'string' && { clientId }),
      reason: error instanceof Problem ? error.message : 'The message could not be sent: try again',
    }
    socket.emit('failedStatus', failed)
    throw error
  }
}

const mostWaiting = 50

/** Runs tasks one after another. Failures are logged; tasks beyond a number that waits are dropped. */
function createSequence(logger: Logger): (task: () => Promise<void>) => void {
  let last = Promise.resolve()
  let waiting = 0
  return (task) => {
    if (waiting >= mostWaiting) return
    waiting += 1
    last = last
      .then(task)
      .catch((error: unknown) => {
        if (error instanceof Problem) logger.debug({ code: error.code }, 'a frame of a socket was refused')
        else logger.warn({ err: error }, 'a frame of a socket could not be handled')
      })
      .finally(() => (waiting -= 1))
  }
}

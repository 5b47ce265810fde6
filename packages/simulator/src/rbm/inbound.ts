import { randomBytes } from 'node:crypto'
import type { HandsetMessage } from '../handset.ts'
import { postUserEvent } from './events.ts'
import type { RbmMessage } from './message-log.ts'
import type { Agent, Row } from './objects.ts'
import { timestamp } from './outbox.ts'
import type { Rbm } from './rbm.ts'
import { allSuggestions, type RcsContent, type RcsSuggestion, textOf } from './rcs-content.ts'

export type Conversation = { agent: Agent; number: string }

export type Written = { id: string; message: HandsetMessage }

/** What the person sends, as the phone shows it and as the webhook receives it. */
type Writing = { content: RcsContent; data: Row; messageType: string; text?: string }

/** Sends a message of a person to the agent. */
export function write(
  rbm: Rbm,
  { agent, number }: Conversation,
  { content, data, messageType, text }: Writing,
): Written {
  const id = `Mx${randomBytes(15).toString('base64url')}`
  rbm.subscribers.wrote({ agentId: agent.id, number })
  rbm.messages.addInbound({ id, agentId: agent.id, number, isRead: false })
  rbm.simulation.counts.inboundSent += 1
  const message = rbm.simulation.handset.reply({
    channel: 'rcs',
    number,
    peer: agent.id,
    text: text ?? textOf(content),
    parts: 1,
    encoding: 'utf8',
    account: agent.id,
    via: agent.platform === 'google' ? 'rbm' : 'dotgo',
    entityId: undefined,
    templateId: undefined,
    reference: undefined,
    id,
    rcs: content,
  })
  rbm.outbox.post({
    agent,
    type: 'message',
    attributes: { message_type: messageType },
    data: { senderPhoneNumber: `+${number}`, messageId: id, sendTime: timestamp(), agentId: agent.id, ...data },
  })
  return { id, message }
}

/** A text; the keywords of the phone's menu unsubscribe and subscribe. */
export function writeText(rbm: Rbm, conversation: Conversation, text: string): Written {
  const keyword = text.trim().toUpperCase()
  if (keyword === 'STOP') return unsubscribe(rbm, conversation)
  if (keyword === 'START') return subscribe(rbm, conversation)
  return sendText(rbm, conversation, text)
}

function sendText(rbm: Rbm, conversation: Conversation, text: string): Written {
  return write(rbm, conversation, { content: { text, suggestions: [] }, data: { text }, messageType: 'TEXT' })
}

/** The event and a text with the keyword, both. */
export function unsubscribe(rbm: Rbm, { agent, number }: Conversation): Written {
  rbm.subscribers.setUnsubscribed({ agentId: agent.id, number }, true)
  postUserEvent(rbm, { agent, number, eventType: 'UNSUBSCRIBE' })
  return sendText(rbm, { agent, number }, 'STOP')
}

export function subscribe(rbm: Rbm, { agent, number }: Conversation): Written {
  rbm.subscribers.setUnsubscribed({ agentId: agent.id, number }, false)
  postUserEvent(rbm, { agent, number, eventType: 'SUBSCRIBE' })
  return sendText(rbm, { agent, number }, 'START')
}

/** Taps a suggestion: the agent receives its postback, and the place of the person if it asks for that. */
export function tap(rbm: Rbm, message: RbmMessage, suggestion: RcsSuggestion): Written {
  const { agent, number, id } = message
  const { kind, text, postbackData } = suggestion
  const suggestionResponse = { postbackData, text, type: kind === 'reply' ? 'REPLY' : 'ACTION' }
  const content: RcsContent = { text, suggestions: [], tapped: { messageId: id, postbackData } }
  const written = write(
    rbm,
    { agent, number },
    { content, data: { suggestionResponse }, messageType: 'SUGGESTION_RESPONSE' },
  )
  if (kind === 'share_location') writePlace(rbm, { agent, number }, { latitude: 12.9716, longitude: 77.5946 })
  return written
}

export function writePlace(
  rbm: Rbm,
  conversation: Conversation,
  place: { latitude: number; longitude: number },
): Written {
  return write(rbm, conversation, {
    content: { place: { ...place, label: 'My location' }, suggestions: [] },
    data: { location: place },
    messageType: 'LOCATION',
  })
}

export type SentFile = { bytes: Buffer; mimeType: string; fileName: string }

export function writeFile(rbm: Rbm, conversation: Conversation, { bytes, mimeType, fileName }: SentFile): Written {
  const file = rbm.directory.saveFile({ mimeType, bytes, url: undefined, thumbnailUrl: undefined })
  const payload = { mimeType, fileSizeBytes: bytes.length, fileName, fileUri: `${rbm.origin}/rbm/files/${file.id}` }
  return write(rbm, conversation, {
    content: { media: { fileId: file.id, mimeType, fileName }, suggestions: [] },
    data: { userFile: { payload, ...(mimeType.startsWith('image/') ? { thumbnail: payload } : {}) } },
    messageType: 'USER_FILE',
  })
}

export function tapFirst(rbm: Rbm, message: RbmMessage) {
  const [first] = allSuggestions(message.content)
  if (first) tap(rbm, message, first)
}

import { createWriteStream, type WriteStream } from 'node:fs'
import type { PhoneContent } from './graph/phone-content.ts'
import { hashText } from './random.ts'
import type { RcsContent } from './rbm/rcs-content.ts'

/** How a message reached the operator. */
export type Via = 'smpp' | 'twilio' | 'msg91' | 'kannel' | 'jasmin' | 'plain' | 'graph' | 'rbm' | 'dotgo'

export type HandsetMessage = {
  sequence: number
  direction: 'received' | 'replied'
  channel: 'sms' | 'whatsapp' | 'rcs'
  /** The phone's number, digits only, in both directions. */
  number: string
  /** The header or number at the other end; on WhatsApp the phone number id, on RCS the agent. */
  peer: string
  /** As shown to the person. */
  text: string
  parts: number
  encoding: 'gsm7' | 'ucs2' | 'latin1' | 'binary' | 'utf8'
  account: string
  via: Via
  entityId: string | undefined
  templateId: string | undefined
  reference: string | undefined
  /** The provider's id; not of SMS. */
  id?: string
  /** The structured message of WhatsApp or RCS. */
  content?: PhoneContent
  rcs?: RcsContent
  at: string
}

/** A received message. Without a channel it is an SMS. */
export type Arrival = Omit<HandsetMessage, 'sequence' | 'direction' | 'at' | 'channel'> & {
  channel?: 'whatsapp' | 'rcs'
}

export type Phone = {
  number: string
  received: number
  unread: number
  messages: HandsetMessage[]
  /** The first message, by reference or by a hash of its text; a table of further ones only if there are any. */
  firstKey: string | number | undefined
  timesByKey: Map<string | number, number> | undefined
}

/**
 * What every phone received: used to check the claim that each message was sent once.
 * Counts are exact for all numbers; texts are kept for the last messages only, and all of them in the log file.
 */
export type Handset = {
  receive: (message: Arrival) => void
  /** Adds a person's reply; the caller passes it to the other end. */
  reply: (message: Arrival) => HandsetMessage
  find: (number: string) => Phone | undefined
  read: (number: string) => void
  /** Latest first. */
  listPhones: (page: { query: string; offset: number; limit: number }) => { phones: Phone[]; total: number }
  listReceived: (page: { since: number; limit: number }) => HandsetMessage[]
  count: (number: string) => number
  totals: () => { received: number; numbers: number; duplicates: number }
  /** Each (number, reference or text) that arrived more than once. */
  listDuplicates: (limit: number) => { number: string; key: string; times: number }[]
  subscribe: (listener: (message: HandsetMessage) => void) => () => void
  clear: () => void
  close: () => Promise<void>
}

const keptMessages = 200_000

export function createHandset(options: { file?: string | undefined; kept?: number }): Handset {
  const kept = options.kept ?? keptMessages
  const log = options.file === undefined ? undefined : openLog(options.file)
  const phones = new Map<string, Phone>()
  const listeners = new Set<(message: HandsetMessage) => void>()
  let recent: HandsetMessage[] = []
  let sequence = 0
  let received = 0
  let duplicates = 0

  function phoneOf(number: string): Phone {
    const phone = phones.get(number) ?? {
      number,
      received: 0,
      unread: 0,
      messages: [],
      firstKey: undefined,
      timesByKey: undefined,
    }
    // Moved to the end: the map is ordered by last message.
    phones.delete(number)
    phones.set(number, phone)
    return phone
  }

  function keep(message: HandsetMessage, phone: Phone) {
    phone.messages.push(message)
    recent.push(message)
    // Trimmed by halves, so that a message does not shift the whole list.
    if (recent.length > kept * 1.5) {
      for (const old of recent.slice(0, recent.length - kept)) phones.get(old.number)?.messages.shift()
      recent = recent.slice(recent.length - kept)
    }
    log?.write(message)
    for (const listener of listeners) listener(message)
  }

  return {
    receive(message) {
      const phone = phoneOf(message.number)
      received += 1
      phone.received += 1
      phone.unread += 1
      if (countArrival(phone, keyOf(message)) > 1) duplicates += 1
      keep({ channel: 'sms', ...message, sequence: ++sequence, direction: 'received', at: isoNow() }, phone)
    },
    reply(message) {
      const reply: HandsetMessage = {
        channel: 'sms',
        ...message,
        sequence: ++sequence,
        direction: 'replied',
        at: new Date().toISOString(),
      }
      const phone = phoneOf(message.number)
      phone.unread = 0
      keep(reply, phone)
      return reply
    },
    find: (number) => phones.get(number),
    read(number) {
      const phone = phones.get(number)
      if (phone) phone.unread = 0
    },
    listPhones({ query, offset, limit }) {
      const found = [...phones.values()].reverse().filter((phone) => phone.messages.length > 0 && matches(phone, query))
      return { phones: found.slice(offset, offset + limit), total: found.length }
    },
    listReceived: ({ since, limit }) =>
      recent
        .slice(indexAfter(recent, since))
        .filter(({ direction }) => direction === 'received')
        .slice(0, limit),
    count: (number) => phones.get(number)?.received ?? 0,
    totals: () => ({ received, numbers: phones.size, duplicates }),
    listDuplicates: (limit) => repeatedKeys(phones, limit),
    subscribe: (listener) => (listeners.add(listener), () => listeners.delete(listener)),
    clear() {
      phones.clear()
      recent = []
      received = duplicates = 0
    },
    close: async () => log?.close(),
  }
}

/** A failover that repeats a message on the other channel with the same reference is no duplicate. */
function keyOf({ channel, reference, text, content }: Arrival): string | number {
  if (channel === undefined) return reference ?? hashText(text)
  return `${channel} ${reference ?? hashText(text + JSON.stringify(content))}`
}

/** How often this phone has received this message. Most phones get one message and need no table. */
function countArrival(phone: Phone, key: string | number): number {
  if (phone.firstKey === undefined) {
    phone.firstKey = key
    return 1
  }
  phone.timesByKey ??= new Map([[phone.firstKey, 1]])
  const times = (phone.timesByKey.get(key) ?? 0) + 1
  phone.timesByKey.set(key, times)
  return times
}

function repeatedKeys(phones: Map<string, Phone>, limit: number) {
  const repeated: { number: string; key: string; times: number }[] = []
  for (const { number, timesByKey } of phones.values()) {
    for (const [key, times] of timesByKey ?? []) if (times > 1) repeated.push({ number, key: String(key), times })
    if (repeated.length >= limit) break
  }
  return repeated.slice(0, limit)
}

let isoAt = 0
let iso = ''

/** Within one millisecond the text is the same, which avoids most of the formatting under load. */
function isoNow(): string {
  const now = Date.now()
  if (now !== isoAt) {
    isoAt = now
    iso = new Date(now).toISOString()
  }
  return iso
}

function matches(phone: Phone, query: string): boolean {
  if (query === '') return true
  if (phone.number.includes(query.replace(/^\+/, ''))) return true
  const wanted = query.toLowerCase()
  return phone.messages
    .slice(-20)
    .some(({ text, peer }) => text.toLowerCase().includes(wanted) || peer.toLowerCase().includes(wanted))
}

/** The list is in order of sequence: binary search. */
function indexAfter(messages: HandsetMessage[], since: number): number {
  let low = 0
  let high = messages.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((messages[middle]?.sequence ?? 0) <= since) low = middle + 1
    else high = middle
  }
  return low
}

const flushMs = 20

/** One JSON line per message, written in batches within milliseconds. */
function openLog(file: string) {
  const stream: WriteStream = createWriteStream(file, { flags: 'a' })
  let lines: string[] = []
  let timer: NodeJS.Timeout | undefined

  function flush() {
    timer = undefined
    if (lines.length > 0) stream.write(`${lines.join('\n')}\n`)
    lines = []
  }

  return {
    write(message: HandsetMessage) {
      lines.push(JSON.stringify(message))
      timer ??= setTimeout(flush, flushMs)
    },
    close() {
      clearTimeout(timer)
      flush()
      return new Promise<void>((resolve, reject) => {
        stream.once('error', reject)
        stream.end(resolve)
      })
    },
  }
}

import { hostOf, carrierOf } from './carriers.ts'
import { deliverHeld } from './delivery.ts'
import type { Device } from './devices.ts'
import { postUserEvent } from './events.ts'
import {
  type Conversation,
  type SentFile,
  subscribe,
  tap,
  unsubscribe,
  writeFile,
  writePlace,
  writeText,
} from './inbound.ts'
import { absolute } from './management-agents.ts'
import type { Agent } from './objects.ts'
import type { Rbm } from './rbm.ts'
import { allSuggestions } from './rcs-content.ts'
import { answerInvite } from './testers.ts'

export type Person = { number: string; agentId: string }

/** Actions of a person on the phone. Each throws if it is not possible. */
export type PersonActions = ReturnType<typeof createPersonActions>

export function createPersonActions(rbm: Rbm) {
  const conversation = (person: Person): Conversation => findConversation(rbm, person)
  return {
    write: (person: Person, text: string) => writeText(rbm, conversation(person), text),
    writePlace: (person: Person, place: { latitude: number; longitude: number }) =>
      writePlace(rbm, conversation(person), place),
    writeFile: (person: Person, file: SentFile) => writeFile(rbm, conversation(person), file),
    /** The suggestion by its position in the message, in reading order. */
    tap(person: Person, { messageId, suggestion = 0 }: { messageId: string; suggestion?: number }) {
      const message = rbm.messages.find({ ...conversation(person), id: messageId })
      if (message?.status !== 'shown' || message.number !== digitsOf(person.number))
        throw new RangeError(`${person.number} has not received the message ${messageId}`)
      const tapped = allSuggestions(message.content)[suggestion]
      if (!tapped) throw new RangeError(`The message has no suggestion ${suggestion}`)
      return { suggestion: tapped, answer: tap(rbm, message, tapped) }
    },
    type(person: Person) {
      postUserEvent(rbm, { ...conversation(person), eventType: 'IS_TYPING' })
    },
    subscribe: (person: Person) => subscribe(rbm, conversation(person)),
    unsubscribe: (person: Person) => unsubscribe(rbm, conversation(person)),
    /** Opens the conversation: what it shows is read. */
    open: (person: Person) => readAll(rbm, conversation(person)),
    answerInvite(person: Person, isAccepted: boolean) {
      const { agent, number } = conversation(person)
      answerInvite(rbm, { agentId: agent.id, number }, isAccepted ? 'ACCEPTED' : 'DECLINED')
    },
    change(number: string, changes: Partial<Device>) {
      const digits = digitsOf(number)
      const device = rbm.devices.change(digits, changes)
      if (changes.isOnline) deliverHeld(rbm, digits)
      return device
    },
    show: (number: string) => presentPerson(rbm, digitsOf(number)),
  }
}

function digitsOf(number: string): string {
  return number.replaceAll(/\D/g, '')
}

function findConversation(rbm: Rbm, { number, agentId }: Person): Conversation {
  const agent = rbm.directory.findAgent(agentId)
  if (!agent) throw new RangeError(`There is no agent ${agentId}`)
  const digits = digitsOf(number)
  if (digits === '') throw new RangeError('The number has no digits')
  return { agent, number: digits }
}

const mostRead = 500

function readAll(rbm: Rbm, { agent, number }: Conversation): number {
  if (!rbm.devices.find(number).readReceipts) return 0
  let count = 0
  for (const { id, peer, direction } of rbm.simulation.handset.find(number)?.messages.slice(-mostRead) ?? []) {
    if (id === undefined || direction !== 'received' || peer !== agent.id) continue
    const message = rbm.messages.find({ agent, number, id })
    if (message?.status !== 'shown' || message.isRead) continue
    message.isRead = true
    postUserEvent(rbm, { agent, number, eventType: 'READ', messageId: id })
    count += 1
  }
  return count
}

/** The phone and its agents, as the page shows them. */
function presentPerson(rbm: Rbm, number: string) {
  return {
    number,
    carrier: carrierOf(number).id,
    host: hostOf(number),
    ...rbm.devices.find(number),
    agents: [...rbm.directory.agents.values()].map((agent) => presentAgent(rbm, agent, number)),
  }
}

function presentAgent(rbm: Rbm, agent: Agent, number: string) {
  const { id, displayName, profile, verification } = agent
  return {
    id,
    name: displayName,
    description: profile.description,
    logo: absolute(rbm.origin, profile.logoUri),
    color: profile.color,
    isVerified: verification === 'VERIFIED',
    isTyping: rbm.subscribers.isTyping(id, number),
    isUnsubscribed: rbm.subscribers.isUnsubscribed(id, number),
  }
}

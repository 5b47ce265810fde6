import type { EndpointName } from '@carillon/contract'
import { newId } from '../lib/ids.ts'
import type { UncheckedOptions } from './server.ts'

export const newcomer = () => ({
  name: 'Asha',
  email: `${newId()}@test.example`,
  username: `asha-${newId().slice(-8)}`,
})
/** The id of no record. */
const nobody = newId()
const replyText = () => ({ clientId: newId(), content: { type: 'text', text: 'Hello' } })

/** Valid input of each call of the inbox. */
export const inboxSamples: Partial<Record<EndpointName, () => UncheckedOptions>> = {
  'agents.invite': () => ({ body: { name: 'Asha', email: `${newId()}@test.example` } }),
  'agents.create': () => ({ body: newcomer() }),
  'agents.update': () => ({ body: { skills: ['Tamil'], maxOpen: 5 } }),
  'agents.setAvailability': () => ({ body: { availability: 'online' } }),
  'teams.create': () => ({ body: { name: `Team ${newId()}` } }),
  'teams.update': () => ({ body: { name: `Team ${newId()}` } }),
  'cannedReplies.create': () => ({ body: { shortcut: newId(), text: 'Thank you.' } }),
  'cannedReplies.update': () => ({ body: { shortcut: newId(), text: 'Thank you.' } }),
  'inboxSettings.update': () => ({
    body: {
      assignsAutomatically: true,
      timezone: 'Asia/Kolkata',
      businessHours: null,
      firstReplyMinutes: 30,
      nextReplyMinutes: null,
      asksForRating: false,
      ratingText: null,
      ratingTemplates: {},
    },
  }),
  'conversations.changes': () => ({ query: { since: '1:1:' } }),
  'conversations.search': () => ({ query: { q: 'Hello' } }),
  'conversations.threadChanges': () => ({ query: { since: '1:1:' } }),
  'conversations.deliveries': () => ({ query: { ids: newId() } }),
  'conversations.start': () => ({ body: { ...replyText(), lineId: newId(), phoneNumber: '+919876543210' } }),
  'conversations.reply': () => ({ body: replyText() }),
  'conversations.note': () => ({ body: { text: 'Call them tomorrow', mentions: [newId()] } }),
  'conversations.read': () => ({ body: {} }),
  'conversations.change': () => ({ body: { priority: 'high' } }),
  'conversations.changeMany': () => ({ body: { ids: [nobody], change: { priority: 'high' } } }),
  'conversations.schedule': () => ({
    body: { content: { type: 'text', text: 'Hello' }, sendAt: new Date(Date.now() + 3_600_000).toISOString() },
  }),
  'contacts.rename': () => ({ body: { name: 'Asha' } }),
  'contacts.merge': () => ({ body: { contactId: newId() } }),
  'contacts.split': () => ({ body: { identities: [{ channel: 'sms', identity: '919876543210' }] } }),
}

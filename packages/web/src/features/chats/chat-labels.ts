import type {
  ConversationPriority,
  ConversationStatus,
  HeldBy,
  MessageType,
  ThreadItemOf,
} from '@carillon/contract/conversation-records'
import type { ConversationOrder } from '@carillon/contract/conversations'
import { formatMoment } from './format-moment.ts'

export const boxNames = { mine: 'Mine', unassigned: 'Unassigned', all: 'All' } as const

export const orderNames: Record<ConversationOrder, string> = {
  closing: 'Closing soonest',
  newest: 'Newest',
  waiting: 'Longest waiting',
}

export const statusNames: Record<ConversationStatus, string> = {
  open: 'Open',
  pending: 'Pending',
  snoozed: 'Snoozed',
  resolved: 'Resolved',
}

export const holderNames: Record<HeldBy, string> = { bot: 'Bot', human: 'Team', paused: 'Bot paused' }

export const priorityNames: Record<ConversationPriority, string> = {
  low: 'Low',
  normal: 'Normal',
  high: 'High',
  urgent: 'Urgent',
}

/** Shown for a message that has no text. */
export const typeNames: Record<MessageType, string> = {
  text: 'Message',
  image: 'Photo',
  video: 'Video',
  audio: 'Audio',
  document: 'Document',
  sticker: 'Sticker',
  location: 'Location',
  contact: 'Contact',
  reaction: 'Reaction',
  template: 'Template',
  interactive: 'Message with buttons',
  button_reply: 'Button',
  form_reply: 'Form',
  card: 'Card',
  carousel: 'Carousel',
  order: 'Order',
  system: 'System message',
  unsupported: 'Unsupported message',
}

/** '999+' from a thousand, where the server stops counting. */
export function formatCapped(count: number): string {
  return count >= 1000 ? '999+' : String(count)
}

type EventItem = ThreadItemOf<'event'>
type Details = EventItem['details']

/** What happened, after the name of who did it; or alone, for what the server did. */
const eventTexts: Record<EventItem['event'], (details: Details, isServer: boolean, actor?: string) => string> = {
  opened: () => 'Conversation opened',
  assigned({ assignee = 'an agent' }, isServer, actor) {
    if (assignee === actor) return 'took this conversation'
    return isServer ? `Assigned to ${assignee}` : `assigned ${assignee}`
  },
  unassigned: (_, isServer) => (isServer ? 'Assignee removed' : 'removed the assignee'),
  team_assigned: ({ team }, isServer) => (isServer ? `Given to ${team ?? 'a team'}` : `gave it to ${team ?? 'a team'}`),
  resolved: (_, isServer) => (isServer ? 'Resolved' : 'resolved this conversation'),
  reopened: (_, isServer) => (isServer ? 'Reopened by a message' : 'reopened this conversation'),
  snoozed: ({ until, note }, isServer) =>
    `${isServer ? 'Snoozed' : 'snoozed it'} ${until ? `until ${instant(until)}` : 'until the next message'}${note ? `: ${note}` : ''}`,
  woken: ({ note }) => `Snooze ended${note ? `: ${note}` : ''}`,
  taken_over: (_, isServer) => (isServer ? 'Taken over from the bot' : 'took over from the bot'),
  handed_to_bot: (_, isServer) => (isServer ? 'Handed to the bot' : 'handed it to the bot'),
  bot_paused: ({ until }, isServer) =>
    `${isServer ? 'Bot paused' : 'paused the bot'}${until ? ` until ${instant(until)}` : ''}`,
  blocked: (_, isServer) => (isServer ? 'Blocked' : 'blocked this person'),
  unblocked: (_, isServer) => (isServer ? 'Unblocked' : 'unblocked this person'),
  priority_changed: ({ priority }, isServer) =>
    `${isServer ? 'Priority changed' : 'changed the priority'}${priority ? ` to ${priority}` : ''}`,
  labels_changed: ({ labels }, isServer) =>
    `${isServer ? 'Labels changed' : 'changed the labels'}${labels ? `: ${labels}` : ''}`,
  contact_merged: (_, isServer) => (isServer ? 'Contacts merged: the number became visible' : 'merged this contact'),
  contact_split: (_, isServer) => (isServer ? 'Contact split' : 'split this contact'),
  opted_out: () => 'Opted out of messages',
  reply_scheduled: ({ at }, isServer) =>
    `${isServer ? 'Reply scheduled' : 'scheduled a reply'}${at ? ` for ${instant(at)}` : ''}`,
  reply_cancelled: ({ reason }, isServer) =>
    `${isServer ? 'Scheduled reply cancelled' : 'cancelled a scheduled reply'}${reason ? `: ${reason}` : ''}`,
  rated: ({ stars = '' }) => `Rated ${stars} of 5 by the customer`,
}

const isoInstant = /^\d{4}-\d\d-\d\dT/

function instant(text: string): string {
  return isoInstant.test(text) ? formatMoment(text) : text
}

export function eventText({ event, details, actor }: EventItem): string {
  return eventTexts[event](details, actor === undefined, actor?.name)
}

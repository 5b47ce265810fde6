import { CampaignStatus } from '@carillon/contract/campaign-records'
import { z } from 'zod'

const about = { organizationId: z.string(), subjectIds: z.array(z.string()).min(1) }

/**
 * What can happen that other processes have to know of. The subjects are named, not copied: who needs more reads it from its
 * table, as it is by then.
 */
export const DomainEvent = z.discriminatedUnion('type', [
  /** People wrote to a sender. The subjects are inbound messages. */
  z.object({ ...about, type: z.literal('message.received'), payload: z.object({ senderId: z.string() }) }),
  /** A campaign has another status. */
  z.object({ ...about, type: z.literal('campaign.changed'), payload: z.object({ status: CampaignStatus }) }),
  /** The check of an audience moved on or ended. */
  z.object({ ...about, type: z.literal('audience.changed'), payload: z.object({}) }),
  /** Accounts were notified. Written by add_notifications() in the database. */
  z.object({ ...about, type: z.literal('notification.added'), payload: z.object({}) }),
])
export type DomainEvent = z.infer<typeof DomainEvent>
export type EventType = DomainEvent['type']
export type EventOf<Type extends EventType> = Extract<DomainEvent, { type: Type }>

/** Woken when events were committed; whoever follows events also reads at intervals. */
export const eventChannel = 'carillon_events'

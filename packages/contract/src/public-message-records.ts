import { z } from 'zod'
import { MessageStatus } from './campaign-records.ts'
import { Channel } from './channels.ts'
import { Cursor, Id, Instant, Line, Rupees } from './common.ts'
import { FailoverCondition } from './draft-legs.ts'

export const maximumBatch = 1000
/** How far ahead a message can be scheduled. */
export const maximumDaysAhead = 30
export const maximumTtlSeconds = 7 * 86_400

const reference = Line.min(1, 'Leave the reference out, or enter one').max(64)

const PublicTemplate = z
  .strictObject({
    id: Id.optional(),
    /** Instead of the id. */
    name: Line.min(1).max(512).optional(),
    /** Where a name exists in several languages. */
    language: Line.min(2).max(20).optional(),
    /** By the name or number of the variable, as in replies. */
    values: z.record(z.string().max(80), z.string().max(200, 'Enter 200 characters at most')).default({}),
  })
  .refine(({ id, name }) => (id === undefined) !== (name === undefined), 'Name the template by id or by name')

const PublicContent = z.strictObject({
  type: z.literal('media'),
  /** A file uploaded for the channel. */
  fileId: Id,
  caption: z.string().trim().max(1024).default(''),
})

/** Exactly one of the three. */
const oneContent = {
  template: PublicTemplate.optional(),
  text: z.string().trim().min(1, 'Write a message').max(4096).optional(),
  content: PublicContent.optional(),
}

const hasOneContent = ({ template, text, content }: { template?: unknown; text?: unknown; content?: unknown }) =>
  [template, text, content].filter((part) => part !== undefined).length === 1

/** Messages that may follow a message. */
export const maximumLegs = 3
/** How long a leg waits for a delivery report if it has no entry conditions. */
export const defaultLegSeconds = 300

const isTimed = ({ type }: FailoverCondition) => type === 'undelivered_after' || type === 'unread_after'

/** When a leg is sent, by how the message before it ended. */
export const LegConditions = z
  .array(
    FailoverCondition.refine((condition) => !isTimed(condition) || condition.afterSeconds !== undefined, {
      message: 'Enter after how many seconds',
      path: ['afterSeconds'],
    }),
  )
  .min(1, 'Leave the conditions out, or enter one')
  .max(8)

/** A message to the same person that is sent if the one before does not arrive. */
const PublicLeg = z
  .strictObject({
    /** By default the one of `from` or of the template. */
    channel: Channel.optional(),
    from: Line.min(1).max(100).optional(),
    ...oneContent,
    /** By default if the message before failed, or was not delivered in five minutes. */
    entryConditions: LegConditions.optional(),
  })
  .refine(hasOneContent, { message: 'Enter one of template, text and content', path: ['text'] })
export type PublicLeg = z.output<typeof PublicLeg>

export const PublicSend = z
  .strictObject({
    /** A phone number with its country code; an API key's config may have a default country. */
    to: Line.min(4).max(25),
    /** By default the one of `from` or of the template. */
    channel: Channel.optional(),
    /** A sender by id, name, number or header. By default the only active one of the channel. */
    from: Line.min(1).max(100).optional(),
    ...oneContent,
    /** Of a text without a template, on channels whose prices depend on it. */
    category: Line.min(1).max(40).optional(),
    /** What is sent if this message does not arrive: the next one whose entry conditions are met. */
    legs: z.array(PublicLeg).max(maximumLegs, `Enter ${maximumLegs} legs at most`).optional(),
    /** The caller's own id of the message; need not be unique. */
    reference: reference.optional(),
    /** After this time the message is not delivered any more, and no leg is sent. By default a day. */
    ttlSeconds: z.int().min(60).max(maximumTtlSeconds).optional(),
    /** When it is sent; by default at once. */
    sendAt: Instant.optional(),
    /** Returned with the message and its events. */
    metadata: z
      .record(z.string().min(1).max(40), z.string().max(500))
      .refine((fields) => Object.keys(fields).length <= 20, 'Enter 20 fields at most')
      .optional(),
  })
  .refine(hasOneContent, { message: 'Enter one of template, text and content', path: ['text'] })
export type PublicSend = z.output<typeof PublicSend>

/** A message of a batch. Each is checked for itself, so that one mistake refuses one message. */
export const UncheckedSend = z.unknown().meta({ description: 'As the body of a single message' })

export const AcceptedMessage = z.object({
  id: Id,
  status: z.enum(['queued', 'scheduled']),
  to: z.string(),
  channel: Channel,
  /** The sender. */
  from: z.object({ _id: Id, name: z.string() }),
  parts: z.int(),
  /** Held until the message was sent. */
  cost: Rupees,
  /** What may follow, each at its cost when it is sent. */
  legs: z
    .array(z.object({ channel: Channel, from: z.object({ _id: Id, name: z.string() }), parts: z.int(), cost: Rupees }))
    .optional(),
  reference: z.string().optional(),
  sendAt: Instant.optional(),
})
export type AcceptedMessage = z.infer<typeof AcceptedMessage>

/** What would be accepted. */
export const CheckedMessage = AcceptedMessage.omit({ id: true, status: true })
export type CheckedMessage = z.infer<typeof CheckedMessage>

export const RefusedMessage = z.object({
  /** As in the answer of a call that fails. */
  code: z.string(),
  message: z.string(),
  details: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
})

/** In the order of the request. */
export const BatchAnswer = z.object({
  messages: z.array(z.union([z.object({ accepted: AcceptedMessage }), z.object({ refused: RefusedMessage })])),
  accepted: z.int(),
  refused: z.int(),
})

/** A leg that was sent, with its own id, or why it could not be sent. */
const SentLeg = z.object({
  id: Id.optional(),
  channel: Channel,
  /** How the message before ended: a reason of failure, or `not_delivered_in_time`. */
  enteredFor: z.string(),
  refused: z.object({ code: z.string(), message: z.string() }).optional(),
})

export const PublicMessage = z.object({
  id: Id,
  /** The message that this one is a leg of. */
  legOf: Id.optional(),
  /** The legs that followed this message. */
  legs: z.array(SentLeg).optional(),
  to: z.string().optional(),
  channel: Channel,
  from: z.object({ _id: Id, name: z.string() }),
  status: z.union([MessageStatus, z.literal('scheduled')]),
  /** Why it was not delivered. */
  reason: z.string().optional(),
  /** The provider's own code and words. */
  code: z.string().optional(),
  detail: z.string().optional(),
  text: z.string(),
  parts: z.int(),
  cost: Rupees,
  reference: z.string().optional(),
  metadata: z.record(z.string(), z.string()).optional(),
  createdAt: Instant,
  sendAt: Instant.optional(),
  sentAt: Instant.optional(),
  deliveredAt: Instant.optional(),
  readAt: Instant.optional(),
  failedAt: Instant.optional(),
})
export type PublicMessage = z.infer<typeof PublicMessage>

export const PublicInbound = z.object({
  id: Id,
  /** Absent if the channel does not reveal the number. */
  from: z.string().optional(),
  /** The person as the channel identifies them. */
  identity: z.string(),
  to: z.object({ _id: Id, name: z.string() }),
  channel: Channel,
  text: z.string(),
  type: z.string(),
  /** The conversation. */
  chatId: Id,
  receivedAt: Instant,
})

export type PublicInbound = z.infer<typeof PublicInbound>

export const PublicTemplateRecord = z.object({
  id: Id,
  name: z.string(),
  channel: Channel,
  language: z.string(),
  category: z.string(),
  status: z.string(),
  /** The names of the values that a message needs. */
  values: z.array(z.string()),
})

export type PublicTemplateRecord = z.infer<typeof PublicTemplateRecord>

/** `cursor` of the previous answer continues the list; null at its end. */
export const CursorQuery = z.strictObject({
  cursor: Cursor.optional(),
  limit: z.coerce.number().int().min(1).max(100).default(50),
})

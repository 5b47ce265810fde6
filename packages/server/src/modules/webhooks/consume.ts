import type { Db } from '../../db/pool.ts'
import type { Consumer, QueuedEvent } from '../../events/event-queue.ts'
import type { Clock } from '../../lib/clock.ts'
import { newId } from '../../lib/ids.ts'
import { composeBody } from './body.ts'
import { describeCampaigns } from './data/campaign-data.ts'
import { describeConnections, describeSenders } from './data/channel-data.ts'
import { describeClicks } from './data/click-data.ts'
import { describeOptIns, describeOptOuts } from './data/contact-data.ts'
import { describeNoted, describeOpened, describeReceived } from './data/conversation-data.ts'
import { describeStatuses } from './data/message-data.ts'
import { describeLowBalances, describeTopUps } from './data/money-data.ts'
import type { Describe, Occurrence, PublishedName } from './data/occurrence.ts'
import { describeTemplates } from './data/template-data.ts'
import { enqueueDeliveries, type NewDelivery } from './enqueue.ts'
import { readReceivers, readSees, type Receiver, type Sees } from './receivers.ts'

const describers: { [Type in PublishedName]?: Describe<Type> } = {
  'message.status': describeStatuses,
  'message.clicked': describeClicks,
  'message.received': describeReceived,
  'conversation.opened': describeOpened,
  'conversation.noted': describeNoted,
  'person.opted_out': describeOptOuts,
  'person.opted_in': describeOptIns,
  'template.changed': describeTemplates,
  'connection.changed': describeConnections,
  'sender.changed': describeSenders,
  'campaign.changed': describeCampaigns,
  'topup.changed': describeTopUps,
  'balance.low': describeLowBalances,
}

/** Events of test keys do not pass the queue: the sandbox knows them when it accepts a message. */
const environment = 'live'

/** Turns events into deliveries, in the transaction that removes them from the queue of events. */
export function createWebhookConsumer({ clock }: { clock: Clock }): Consumer {
  return async (db, events) => {
    const receivers = await readReceivers(db, { events, environment })
    const known = events.filter(({ target }) => receivers.has(target))
    if (known.length === 0) return
    const groups = groupEqual(known)
    const described = await describe(db, groups)
    const isOfConversation = ({ visibleTo }: Occurrence) => typeof visibleTo === 'object' && 'rooms' in visibleTo
    const hasConversations = described.some(({ occurrences }) => occurrences.some(isOfConversation))
    const sees = await readSees(db, [...receivers.values()], { hasConversations })
    await enqueue(db, { deliveries: described.flatMap((group) => deliveriesOf(group, { receivers, sees })), clock })
  }
}

/** The same event, for several endpoints. */
type Group = { event: QueuedEvent; targets: string[] }

/** What happened is read once, however many endpoints get it. */
function groupEqual(events: readonly QueuedEvent[]): Group[] {
  const groups = new Map<string, Group>()
  const counts = new Map<string, number>()
  for (const event of events) {
    const { organizationId, type, subjectIds, payload, target } = event
    const content = JSON.stringify([organizationId, type, subjectIds, payload])
    // What a target gets for the second time happened twice.
    const count = counts.get(`${target} ${content}`) ?? 0
    counts.set(`${target} ${content}`, count + 1)
    const group = groups.get(`${count} ${content}`)
    if (group) group.targets.push(target)
    else groups.set(`${count} ${content}`, { event, targets: [target] })
  }
  return [...groups.values()]
}

type Described = Group & { occurrences: Occurrence[] }

async function describe(db: Db, groups: readonly Group[]): Promise<Described[]> {
  const described = new Map<Group, Occurrence[]>()
  for (const [type, ofType] of Map.groupBy(groups, ({ event }) => event.type)) {
    // The groups are of the type that the function describes.
    const read = describers[type] as Describe<PublishedName> | undefined
    const occurrences = await read?.(
      db,
      ofType.map(({ event }) => event),
    )
    for (const [index, group] of ofType.entries()) described.set(group, occurrences?.[index] ?? [])
  }
  // In the order of the queue.
  return groups.map((group) => ({ ...group, occurrences: described.get(group) ?? [] }))
}

type Receiving = { receivers: ReadonlyMap<string, Receiver>; sees: Sees }

type Delivery = NewDelivery & { isRetained: boolean }

function deliveriesOf({ event: { at }, targets, occurrences }: Described, { receivers, sees }: Receiving): Delivery[] {
  const deliveries: Delivery[] = []
  for (const { type, data, visibleTo, orderKey = null } of occurrences) {
    let body: string | undefined
    for (const target of targets) {
      const receiver = receivers.get(target)
      if (!receiver?.types.has(type) || !sees(receiver, visibleTo)) continue
      body ??= composeBody(type, at, data)
      const { organizationId, endpointId, isOrdered, isOpen } = receiver
      const own = { organizationId, endpointId, id: newId(), isRetained: !isOpen }
      deliveries.push({ ...own, type, at, orderKey: isOrdered ? orderKey : null, body })
    }
  }
  return deliveries
}

async function enqueue(db: Db, { deliveries, clock }: { deliveries: readonly Delivery[]; clock: Clock }) {
  const now = clock.now()
  for (const [isRetained, some] of Map.groupBy(deliveries, (delivery) => delivery.isRetained))
    await enqueueDeliveries(db, { deliveries: some, isRetained, now })
}

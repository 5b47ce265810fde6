import { countryOf } from './countries.ts'
import type { MessageStatus, SentMessage } from './message-log.ts'

/** Messages of one half hour by number, country and pricing type. */
export type Tally = {
  startsAt: number
  wabaId: string
  phoneNumberId: string
  country: string
  /** Meta's numbers: 0 template, 2 other, 100 inbound. */
  productType: 0 | 2 | 100
  category: string
  pricingType: string
  sent: number
  delivered: number
  conversations: number
  cost: number
}

export type TemplateTally = {
  day: number
  templateId: string
  sent: number
  delivered: number
  read: number
  /** By type and text of the button. */
  clicks: Map<string, number>
  cost: number
}

export type AnalyticsCounts = {
  countSent: (message: SentMessage) => void
  countStatus: (message: SentMessage, change: { before: MessageStatus; status: MessageStatus }) => void
  countInbound: (inbound: { wabaId: string; phoneNumberId: string; waId: string; opensWindow: boolean }) => void
  countClick: (message: SentMessage, click: { type: string; button: string }) => void
  tallies: () => Iterable<Tally>
  templateTallies: () => Iterable<TemplateTally>
  clear: () => void
}

export const halfHourSeconds = 1800
export const daySeconds = 86_400

/** Rupees per delivered message; fictitious, the same for every country. */
const prices: Record<string, number> = { marketing: 0.7846, utility: 0.115, authentication: 0.115 }

export function createAnalyticsCounts(): AnalyticsCounts {
  const book = createBook()
  return {
    countSent(message) {
      book.ofMessage(message).sent += 1
      const template = book.ofTemplate(message)
      if (template) template.sent += 1
    },
    countStatus(message, { before, status }) {
      const template = book.ofTemplate(message)
      if (status === 'read' && template) template.read += 1
      const isArrival = (status === 'delivered' || status === 'read') && before !== 'delivered' && before !== 'read'
      if (!isArrival) return
      const cost = message.pricing.billable ? (prices[message.pricing.category] ?? 0) : 0
      const tally = book.ofMessage(message)
      tally.delivered += 1
      tally.conversations += 1
      tally.cost += cost
      if (!template) return
      template.delivered += 1
      template.cost += cost
    },
    countInbound({ wabaId, phoneNumberId, waId, opensWindow }) {
      const tally = book.tallyOf(
        {
          wabaId,
          phoneNumberId,
          country: countryOf(waId),
          productType: 100,
          category: 'service',
          pricingType: 'free_customer_service',
        },
        Date.now(),
      )
      tally.sent += 1
      if (opensWindow) tally.conversations += 1
    },
    countClick(message, { type, button }) {
      const clicks = book.ofTemplate(message)?.clicks
      clicks?.set(`${type}\n${button}`, (clicks.get(`${type}\n${button}`) ?? 0) + 1)
    },
    tallies: () => book.tallies.values(),
    templateTallies: () => book.templateTallies.values(),
    clear() {
      book.tallies.clear()
      book.templateTallies.clear()
    },
  }
}

type TallyKey = Omit<Tally, 'startsAt' | 'sent' | 'delivered' | 'conversations' | 'cost'>

function createBook() {
  const tallies = new Map<string, Tally>()
  const templateTallies = new Map<string, TemplateTally>()

  function tallyOf(fields: TallyKey, atMs: number): Tally {
    const startsAt = floorTo(atMs, halfHourSeconds)
    const { phoneNumberId, country, productType, category, pricingType } = fields
    const key = `${startsAt}/${phoneNumberId}/${country}/${productType}/${category}/${pricingType}`
    const tally = tallies.get(key) ?? { ...fields, startsAt, sent: 0, delivered: 0, conversations: 0, cost: 0 }
    tallies.set(key, tally)
    return tally
  }

  return {
    tallies,
    templateTallies,
    tallyOf,
    ofMessage({ wabaId, phoneNumberId, waId, pricing, type, atMs }: SentMessage): Tally {
      const productType = type === 'template' ? 0 : 2
      const { category, type: pricingType } = pricing
      return tallyOf({ wabaId, phoneNumberId, country: countryOf(waId), productType, category, pricingType }, atMs)
    },
    ofTemplate({ content, atMs }: SentMessage): TemplateTally | undefined {
      const templateId = content.template?.id
      if (templateId === undefined) return undefined
      const day = floorTo(atMs, daySeconds)
      const key = `${day}/${templateId}`
      const known = templateTallies.get(key)
      const tally = known ?? { day, templateId, sent: 0, delivered: 0, read: 0, clicks: new Map(), cost: 0 }
      templateTallies.set(key, tally)
      return tally
    },
  }
}

function floorTo(atMs: number, seconds: number): number {
  return Math.floor(atMs / 1000 / seconds) * seconds
}

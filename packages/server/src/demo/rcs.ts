import type { BotDetails } from '@carillon/contract/channels/rcs/rcs-bot-details'
import type { RcsBot } from '@carillon/contract/channels/rcs/rcs-bots'
import type { z } from 'zod'
import type { Client } from './client.ts'
import { paintBanner, paintLogo } from './pictures.ts'

/** The simulated RCS platform: its address, its agents and what its operators decide. */
export type SimulatedRbm = {
  baseUrl: string
  /** Launched with all operators but one. */
  agentId: string
  /** Verified, not launched. */
  newAgentId: string
  control: {
    serviceAccount(): object
    settings(): { launchMs: number }
    set(changes: { launchMs: number }): unknown
    changeLaunch(id: string, change: Record<string, unknown>): unknown
    moveCallbacks(address: string): unknown
    listMessages(filter: { since: number; limit: number; agentId: string }): {
      messages: readonly { number: string; timesShown: number }[]
    }
    people: { write(person: { number: string; agentId: string }, text: string): unknown }
  }
}

/** Phones that have RCS in the simulator. */
const testers = ['+919822012345', '+919890456712']

type People = { admin: Client; manager: Client; neighbour: Client }

export type DemoBot = { _id: string; botId: string }

/**
 * Enters the partner account and answers two requests of Acme Retail: one bot is launched, the other waits for operators. A
 * request of another customer is not answered yet. Returns the launched bot.
 */
export async function connectRcs({ admin, manager, neighbour }: People, rbm: SimulatedRbm): Promise<DemoBot> {
  const { baseUrl, control, agentId, newAgentId } = rbm
  const keyFile = JSON.stringify(control.serviceAccount())
  await admin.call('rcsPartner.set', { body: { keyFile, apiUrl: baseUrl, managementUrl: `${baseUrl}/management` } })
  await manager.call('channels.update', { body: { rcs: true } })
  const launched = await answerRequest({ admin, asker: manager }, { details: retail, botId: agentId })
  await manager.call('bots.setStatus', { body: { botId: agentId, botStatus: 'active' } })
  const offers = await answerRequest({ admin, asker: manager }, { details: clearance, botId: newAgentId })
  for (const phoneNumber of testers)
    await manager.call('bots.addTester', { path: { id: offers._id }, body: { phoneNumber } })
  await awaitLaunch(admin, { id: offers._id, rbm })
  await request(neighbour, books)
  // The operators' decisions, and the test phones that accepted meanwhile.
  await admin.call('bots.sync', { path: { id: offers._id } })
  return { _id: launched._id, botId: agentId }
}

type Brand = Omit<z.input<typeof BotDetails>, 'logoId' | 'bannerId'> & {
  ground: readonly [number, number, number]
  shade: readonly [number, number, number]
}

async function request(asker: Client, { ground, shade, ...details }: Brand): Promise<RcsBot> {
  const logoId = await upload(asker, { kind: 'logo', content: paintLogo(ground) })
  const bannerId = await upload(asker, { kind: 'banner', content: paintBanner(ground, shade) })
  return asker.call<RcsBot>('bots.request', { body: { details: { ...details, logoId, bannerId } } })
}

async function upload(client: Client, { kind, content }: { kind: string; content: Buffer }): Promise<string> {
  const file = { name: `${kind}.png`, content: Buffer.from(content), type: 'image/png' }
  return (await client.call<{ fileId: string }>('bots.uploadAsset', { body: { kind }, file })).fileId
}

type Answer = { details: Brand; botId: string }

async function answerRequest({ admin, asker }: { admin: Client; asker: Client }, { details, botId }: Answer) {
  const { _id: requestId } = await request(asker, details)
  return admin.call<RcsBot>('bots.create', { body: { requestId, provider: 'rbm', botId, ratePerSecond: 40 } })
}

/** One operator rejects the launch; the other has not decided, which in the simulator it never does by itself. */
async function awaitLaunch(admin: Client, { id, rbm: { control, newAgentId } }: { id: string; rbm: SimulatedRbm }) {
  const { launchMs } = control.settings()
  // Without this, the simulated operator may launch the bot before the rejection is set.
  control.set({ launchMs: 600_000 })
  try {
    const regions = ['/v1/regions/in-jio', '/v1/regions/in-bsnl']
    await admin.call('bots.launch', { path: { id }, body: { regions } })
    control.changeLaunch(newAgentId, {
      region: 'in-jio',
      state: 'REJECTED',
      comment: 'Describe how people unsubscribe from offers',
    })
  } finally {
    control.set({ launchMs })
  }
}

const review = {
  contactName: 'Asha Rao',
  contactTitle: 'Head of marketing',
  contactEmail: 'asha@acme.example',
  website: 'https://acme.example',
  optIn: 'Customers agree at the till or when they order online.',
  trigger: 'An order, a delivery, or a sale in a store nearby.',
  interactions: 'People track orders, open products and ask for a call.',
  optOut: 'STOP ends all messages.',
}

const retail: Brand = {
  name: 'Acme Retail',
  brandName: 'Acme Retail',
  description: 'Orders, offers and help from Acme Retail',
  color: '#0b5a6e',
  ground: [11, 90, 110],
  shade: [8, 62, 77],
  phoneNumbers: [{ number: '+918047181000', label: 'Customer care' }],
  emails: [{ address: 'help@acme.example', label: 'Help' }],
  websites: [{ url: 'https://acme.example', label: 'Shop' }],
  privacyUrl: 'https://acme.example/privacy',
  termsUrl: 'https://acme.example/terms',
  useCase: 'multi_use',
  entityId: '1101554870000031245',
  review,
}

const clearance: Brand = {
  ...retail,
  name: 'Acme Offers',
  description: 'Sales and early access for members',
  color: '#8a3b12',
  ground: [138, 59, 18],
  shade: [97, 40, 12],
}

const books: Brand = {
  ...retail,
  name: 'Kothrud Books',
  brandName: 'Kothrud Books',
  description: 'New arrivals, readings and your orders',
  color: '#3f4d9a',
  ground: [63, 77, 154],
  shade: [43, 53, 110],
  phoneNumbers: [{ number: '+912025440000', label: 'Shop' }],
  emails: [{ address: 'hello@kothrud-books.test', label: 'Questions' }],
  websites: [{ url: 'https://kothrud-books.test', label: 'Catalogue' }],
  privacyUrl: 'https://kothrud-books.test/privacy',
  termsUrl: 'https://kothrud-books.test/terms',
  entityId: '1101774920000018362',
  review: {
    ...review,
    contactName: 'Nikhil Gokhale',
    contactTitle: 'Owner',
    contactEmail: 'nikhil@kothrud-books.test',
    website: 'https://kothrud-books.test',
    trigger: 'An order, or a reading that a customer signed up for.',
    interactions: 'People reserve books and ask for opening hours.',
  },
}

import type { Campaign } from '@carillon/contract/campaign-records'
import type { ProviderForm } from '@carillon/contract/senders'
import type { Audience } from '@carillon/contract/audience'
import type { World as ChaosWorld } from './world.ts'

/** The connections to the product and the simulator that a campaign needs. */
type World = Pick<ChaosWorld, 'api' | 'simulatorPorts'>

/** How the operator connects for SMS. */
export type SmsRoute = 'smpp' | 'http-gateway'

/** An SMS account at the simulator, and a template. */
export async function prepare(
  world: World,
  route: SmsRoute,
  ratePerSecond: number,
): Promise<{ smsAccountId: string; templateId: string }> {
  const account = await world.api.call<{ _id: string }>('smsAccounts.create', {
    body: {
      name: `Chaos ${route}`,
      provider: route,
      headers: ['CHAOSX'],
      entityId: '1101000000000000001',
      ratePerSecond,
      config: await configOf(world, route),
    },
  })
  await world.api.call('smsAccounts.activate', { body: { id: account._id, isActive: true } })
  const template = await world.api.call<{ _id: string }>('smsTemplates.create', {
    body: {
      smsAccountId: account._id,
      name: `chaos_${route}`,
      header: 'CHAOSX',
      category: 'transactional',
      body: 'Dear {#var#}, code {#var#} is yours. -Chaos',
      entityId: '1101000000000000001',
      dltTemplateId: '1107000000000000001',
      variables: [
        { name: 'name', kind: 'var', sample: 'Asha' },
        { name: 'code', kind: 'var', sample: '1234' },
      ],
    },
  })
  return { smsAccountId: account._id, templateId: template._id }
}

/** SMPP with the simulator's settings; the HTTP gateway from the preset that matches the simulator. */
async function configOf(world: World, route: SmsRoute): Promise<Record<string, unknown>> {
  const { smsc, http } = world.simulatorPorts
  if (route === 'smpp')
    return {
      host: '127.0.0.1',
      port: smsc,
      systemId: 'carillon',
      password: 'simulator',
      window: 100,
      sessions: 1,
      responseTimeoutSeconds: 10,
    }
  const providers = await world.api.call<ProviderForm[]>('providers.list')
  const preset = providers.flatMap(({ presets }) => presets).find(({ name }) => name === 'json')
  return {
    ...preset?.config,
    url: `http://127.0.0.1:${http}/gateway/send`,
    authUser: 'carillon',
    authSecret: 'simulator',
  }
}

/** Unused numbers that do not end in one of the simulator's special suffixes. */
export function numbers(count: number, seed: number): string[] {
  return Array.from(
    { length: count },
    (_, index) => `+919${String(seed).padStart(2, '0')}${String(index).padStart(5, '0')}99`,
  )
}

export async function startCampaign(
  world: World,
  options: { smsAccountId: string; templateId: string; phones: string[]; name: string; isTested?: boolean },
): Promise<string> {
  const audienceId = await loadAudience(world, options.phones)
  const draft = await world.api.call<{ _id: string }>('drafts.create', {
    body: {
      campaignName: options.name,
      audienceId,
      legs: [smsLeg(options)],
      ...(options.isTested ? { abTest: { variants: [smsLeg(options)], samplePercent: 40, autoSend: false } } : {}),
    },
  })
  await world.api.call<Campaign>('drafts.validate', { path: { id: draft._id } })
  await validated(() => world.api.call<Campaign>('campaigns.get', { path: { id: draft._id } }))
  await world.api.call('campaigns.start', { path: { id: draft._id } })
  return draft._id
}

export function smsLeg({ smsAccountId, templateId }: { smsAccountId: string; templateId: string }) {
  return { channel: 'sms', senderId: smsAccountId, templateId, values: { variables: nameAndCode } } as const
}

/** Columns of the template's two variables. */
export const nameAndCode = [
  { column: 1, fallback: '' },
  { column: 2, fallback: '' },
]

export async function loadAudience(world: World, phones: readonly string[]): Promise<string> {
  const csv = [
    'phone,name,code',
    ...phones.map((phone, index) => `${phone},Person ${index},${1000 + (index % 9000)}`),
  ].join('\n')
  const { _id } = await world.api.call<Audience>('audience.create', {
    body: { defaultCountry: 'IN' },
    file: { name: 'chaos.csv', content: csv },
  })
  const audience = await settled(
    () => world.api.call<Audience>('audience.get', { path: { id: _id } }),
    ({ status }) => status !== 'reading' && status !== 'checking',
  )
  if (audience.accepted !== phones.length)
    throw new Error(
      `The audience holds ${audience.accepted} of ${phones.length}: ${audience.error ?? JSON.stringify(audience.sampleErrors)}`,
    )
  return audience._id
}

export async function validated(read: () => Promise<Campaign>): Promise<void> {
  const { status, statusDetail } = await settled(read, (campaign) => campaign.status !== 'validating')
  if (status !== 'ready') throw new Error(`The campaign is ${status}: ${statusDetail ?? ''}`)
}

/**
 * Chooses both variants of a test at the same time, again until one is the winner, once a part of the test is sent. Processes may be killed
 * meanwhile.
 */
export async function chooseWinners(world: World, id: string): Promise<void> {
  const path = { id }
  const isReady = ({ stats }: Campaign) => stats.queued < 0.8 * stats.total
  await settled(async () => {
    const read = await world.api.call<Campaign>('campaigns.get', { path }).catch(() => undefined)
    return read !== undefined && isReady(read)
  }, Boolean)
  await settled(async () => {
    const choices = [0, 1].map((variant) => world.api.call('campaigns.chooseWinner', { path, body: { variant } }))
    const answers = await Promise.allSettled(choices)
    return answers.some(({ status }) => status === 'fulfilled')
  }, Boolean)
}

/** Waits up to two minutes for the result of a background job. */
export async function settled<Thing>(read: () => Promise<Thing>, isSettled: (thing: Thing) => boolean): Promise<Thing> {
  const deadline = Date.now() + 120_000
  for (;;) {
    const thing = await read()
    if (isSettled(thing)) return thing
    if (Date.now() > deadline) throw new Error(`Waited in vain: ${JSON.stringify(thing)}`)
    await pause(200)
  }
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resume) => setTimeout(resume, milliseconds))
}

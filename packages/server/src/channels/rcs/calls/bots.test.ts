import type { BotDetailsChange } from '@carillon/contract/channels/rcs/rcs-bot-details'
import type { RcsBot } from '@carillon/contract/channels/rcs/rcs-bots'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Account } from '../../../testing/builders.ts'
import { grayPng } from '../../../testing/gray-png.ts'
import { botConfig } from '../../../testing/rcs-samples.ts'
import { buildRcsServer, type RcsServer } from '../../../testing/rcs-server.ts'
import { newId } from '../../../lib/ids.ts'

let rcs: RcsServer
beforeAll(async () => {
  rcs = await buildRcsServer()
})
afterAll(() => rcs.close())

const as = (account: Account) => rcs.server.as(account)
const eventually = (assertion: () => Promise<void>) =>
  expect.poll(async () => (await assertion(), true), { timeout: 20_000, interval: 100 }).toBe(true)

async function upload(account: Account, kind: 'logo' | 'banner') {
  const content = kind === 'logo' ? grayPng(224, 224) : grayPng(1440, 448)
  const files = { file: { name: `${kind}.png`, content, type: 'image/png' } }
  return (await as(account).ask('bots.uploadAsset', { body: { kind }, files })).fileId
}

async function detailsOf(account: Account, more: Record<string, unknown> = {}) {
  return {
    name: 'Acme Retail',
    brandName: 'Acme',
    description: 'Orders and offers of Acme',
    color: '#0f766e',
    logoId: await upload(account, 'logo'),
    bannerId: await upload(account, 'banner'),
    emails: [{ address: 'care@acme.example', label: 'Customer care' }],
    privacyUrl: 'https://acme.example/privacy',
    termsUrl: 'https://acme.example/terms',
    useCase: 'promotional' as const,
    review: {
      contactName: 'Asha Rao',
      contactEmail: 'asha@acme.example',
      website: 'https://acme.example',
      trigger: 'A purchase',
      interactions: 'Tracking of orders',
      optOut: 'STOP ends the messages',
    },
    ...more,
  }
}

async function request(account = rcs.manager, more: Record<string, unknown> = {}): Promise<RcsBot> {
  return as(account).ask('bots.request', { body: { details: await detailsOf(account, more) } })
}

/** A bot created at the simulated Google from a request. */
async function create(name: string, account = rcs.manager): Promise<RcsBot & { botId: string }> {
  const { _id: requestId } = await request(account, { name })
  const bot = await as(rcs.admin).ask('bots.create', { body: { requestId, provider: 'rbm' } })
  if (bot.botId === null) throw new Error('The bot has no id')
  return { ...bot, botId: bot.botId }
}

async function launch(bot: RcsBot): Promise<void> {
  await as(rcs.admin).ask('bots.verify', { path: { id: bot._id } })
  await eventually(async () => {
    const { verification } = await as(rcs.admin).ask('bots.sync', { path: { id: bot._id } })
    expect(verification).toBe('verified')
  })
  const regions = ['/v1/regions/in-airtel', '/v1/regions/in-jio']
  await as(rcs.admin).ask('bots.launch', { path: { id: bot._id }, body: { regions } })
}

const ownBot = async (id: string, account = rcs.manager) =>
  (await as(account).ask('bots.own')).find(({ _id }) => _id === id)

describe('a request', () => {
  test.each([
    ['a colour too light for white text', { color: '#5eead4' }, 'details.color'],
    ['no way to contact the brand', { emails: [] }, 'details.phoneNumbers'],
    ['an unknown image', { logoId: newId() }, 'details.logoId'],
    ['a long name', { name: 'A'.repeat(41) }, 'details.name'],
    ['an entity id that is none', { entityId: '12' }, 'details.entityId'],
  ])('with %s is rejected at its field', async (_, more, field) => {
    const answer = await as(rcs.manager).call('bots.request', { body: { details: await detailsOf(rcs.manager, more) } })
    expect(answer).toMatchObject({ status: 400, body: { details: [expect.objectContaining({ field })] } })
  })

  test.each([
    ['a logo of another size', 'logo', grayPng(200, 200), '200 × 200'],
    ['no picture', 'logo', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'PNG'],
  ] as const)('rejects %s', async (_, kind, content, words) => {
    const files = { file: { name: 'a.png', content, type: 'image/png' } }
    expect(await as(rcs.manager).call('bots.uploadAsset', { body: { kind }, files })).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining(words) },
    })
  })

  test('reaches the administrator, is rejected with a reason, and can be submitted again', async () => {
    const { _id: id, details } = await request(rcs.user)
    expect((await as(rcs.admin).ask('notifications.list')).notifications[0]).toMatchObject({ kind: 'sender_requested' })
    expect((await as(rcs.admin).ask('bots.all', { query: { state: 'requested' } })).bots[0]?._id).toBe(id)
    await as(rcs.admin).ask('bots.reject', { path: { id }, body: { reason: 'The terms are missing' } })
    expect(await ownBot(id)).toMatchObject({ state: 'rejected', reason: 'The terms are missing' })
    expect((await as(rcs.user).ask('notifications.list')).notifications[0]).toMatchObject({
      kind: 'sender_changed',
      description: 'The terms are missing',
    })
    const again = await as(rcs.user).ask('bots.request', {
      body: { id, details: await detailsOf(rcs.user, { name: details.name }) },
    })
    expect(again).toMatchObject({ state: 'requested', reason: null })
    expect((await as(rcs.admin).call('bots.reject', { path: { id }, body: { reason: 'No' } })).status).toBe(200)
    await as(rcs.user).ask('bots.withdraw', { path: { id } })
    expect(await ownBot(id)).toBeUndefined()
  })

  test('of another organisation is not found', async () => {
    const { _id: id } = await request()
    expect(await as(rcs.foreign).call('bots.withdraw', { path: { id } })).toMatchObject({ status: 404 })
    const details = await detailsOf(rcs.foreign)
    expect(await as(rcs.foreign).call('bots.request', { body: { id, details } })).toMatchObject({ status: 404 })
    expect(await ownBot(id, rcs.foreign)).toBeUndefined()
  })

  test('shows images to everyone who has their address', async () => {
    const { logoUrl } = await request()
    const served = await fetch(`${rcs.server.url}${logoUrl}`)
    expect(served.headers.get('content-type')).toBe('image/png')
    expect(Buffer.from(await served.arrayBuffer())).toEqual(grayPng(224, 224))
  })
})

describe('a bot', () => {
  test('is created at Google with its brand, and its callback URL is verified there', async () => {
    const bot = await create('Acme Created')
    expect(bot).toMatchObject({
      state: 'created',
      isActive: false,
      isManaged: true,
      verification: 'unverified',
      launches: [],
      webhook: { isVerified: true },
    })
    const agent = rcs.simulator.rbm.control.overview().agents.find(({ id }) => id === bot.botId)
    expect(agent).toMatchObject({ displayName: 'Acme Created', webhook: bot.webhook?.callbackUrl })
    expect(JSON.stringify(bot)).not.toContain('clientToken')
  })

  test('that exists at Google is connected once, to one organisation', async () => {
    const body = { organizationId: rcs.manager.organizationId, provider: 'rbm', botId: rcs.simulator.rbm.agentId }
    const bot = await as(rcs.admin).ask('bots.create', { body })
    expect(bot).toMatchObject({ name: 'Acme Retail', verification: 'verified' })
    expect(bot.launches.length).toBeGreaterThan(1)
    const again = await as(rcs.admin).call('bots.create', {
      body: { ...body, organizationId: rcs.foreign.organizationId },
    })
    expect(again).toMatchObject({ status: 400, body: { details: [{ field: 'botId' }] } })
  })

  test('that Google does not know is rejected at its field', async () => {
    const body = { organizationId: rcs.manager.organizationId, provider: 'rbm', botId: 'nobody_agent@rbm.goog' }
    expect(await as(rcs.admin).call('bots.create', { body })).toMatchObject({
      status: 400,
      body: { details: [{ field: 'botId' }] },
    })
  })

  test('of another organisation cannot be used, and admins and resellers see those below', async () => {
    const { _id: id, botId } = await create('Acme Hidden')
    const body = { phoneNumber: '+919812345678' }
    for (const answer of [
      await as(rcs.foreign).call('bots.sync', { path: { id } }),
      await as(rcs.foreign).call('bots.addTester', { path: { id }, body }),
      await as(rcs.foreign).call('bots.test', { path: { id }, body: { ...body, text: 'Hello' } }),
      await as(rcs.foreign).call('bots.setStatus', { body: { botId, botStatus: 'active' } }),
    ])
      expect(answer).toMatchObject({ status: 404, body: { message: 'RCS bot not found' } })
    const seenBy = async (account: Account) =>
      (await as(account).ask('bots.list', { query: { search: 'Acme Hidden' } })).map((bot) => bot.botId)
    expect(await seenBy(rcs.foreign)).toEqual([])
    for (const account of [rcs.admin, rcs.reseller, rcs.manager, rcs.head, rcs.user])
      expect(await seenBy(account)).toEqual([botId])
  })

  test('is verified and launched by operators, and its organisation is notified', async () => {
    const bot = await create('Acme Launched')
    await launch(bot)
    // The operators' decisions arrive as callbacks.
    await eventually(async () => {
      const states = (await ownBot(bot._id))?.launches.map(({ carrier, state }) => `${carrier} ${state}`)
      expect(states).toEqual(['Airtel launched', 'Jio launched'])
    })
    const told = (await as(rcs.manager).ask('notifications.list')).notifications.map(({ description }) => description)
    expect(told.join(' ')).toContain('has launched the bot')
    rcs.simulator.rbm.control.changeLaunch(bot.botId, { region: 'in-jio', state: 'SUSPENDED' })
    await eventually(async () => {
      const jio = (await ownBot(bot._id))?.launches.find(({ carrier }) => carrier === 'Jio')
      expect(jio).toMatchObject({ country: 'IN', state: 'suspended' })
    })
  })

  test('can send to testers once they accept', async () => {
    const { _id: id } = await create('Acme Tested')
    const phoneNumber = '+919812345670'
    const path = { id }
    expect(await as(rcs.user).ask('bots.addTester', { path, body: { phoneNumber } })).toMatchObject({
      testers: [{ phoneNumber, state: 'pending' }],
    })
    expect(await as(rcs.user).call('bots.addTester', { path, body: { phoneNumber } })).toMatchObject({ status: 409 })
    await eventually(async () => {
      const { testers } = await as(rcs.user).ask('bots.sync', { path })
      expect(testers).toMatchObject([{ phoneNumber, state: 'accepted', invitedAt: expect.any(String) }])
    })
    expect(await as(rcs.user).ask('bots.removeTester', { path: { id, number: phoneNumber } })).toMatchObject({
      testers: [],
    })
  })

  test('is switched on and off by its organisation and by the administrator', async () => {
    const { botId } = await create('Acme Switched')
    const set = (account: Account, botStatus: 'active' | 'inactive') =>
      as(account).ask('bots.setStatus', { body: { botId, botStatus } })
    expect(await set(rcs.user, 'active')).toMatchObject({ isActive: true })
    expect(await set(rcs.admin, 'inactive')).toMatchObject({ isActive: false })
  })

  test('changes at Google as well', async () => {
    const bot = await create('Acme Changed')
    const details = { description: 'Now with returns' }
    await as(rcs.admin).ask('bots.update', { body: { id: bot._id, details } })
    const agent = rcs.simulator.rbm.control.overview().agents.find(({ id }) => id === bot.botId)
    expect(agent?.profile).toMatchObject(details)
    const changed = await as(rcs.admin).ask('bots.get', { path: { id: bot._id } })
    expect(changed).toMatchObject({ details, settings: { ratePerSecond: 10, secretsSet: ['clientToken'] } })
    expect(Object.keys(changed.settings?.config ?? {})).not.toContain('clientToken')
  })

  test('has charged conversations if it is billed by conversation at Google', async () => {
    const categoryOf = async ({ _id }: RcsBot) => {
      const { rows } = await rcs.server.database.systemPool.query<{ category: string | null }>(
        'select conversation_category as category from senders where id = $1',
        [_id],
      )
      return rows[0]?.category
    }
    const asked = { billing: 'conversational' }
    const { _id: requestId } = await request(rcs.manager, { name: 'Acme Talks', ...asked })
    const bot = await as(rcs.admin).ask('bots.create', { body: { requestId, provider: 'rbm' } })
    expect(await categoryOf(bot)).toBe('conversation')
    await rcs.server.database.systemPool.query('update senders set conversation_category = null where id = $1', [
      bot._id,
    ])
    await as(rcs.admin).ask('bots.sync', { path: { id: bot._id } })
    expect(await categoryOf(bot)).toBe('conversation')
    await as(rcs.admin).ask('bots.update', { body: { id: bot._id, details: { billing: 'non_conversational' } } })
    expect(await categoryOf(bot)).toBe(null)
  })

  test('loses the optional details that are emptied, and keeps those that are not sent', async () => {
    const { _id: requestId } = await request(rcs.manager, { name: 'Acme Emptied', entityId: '1'.repeat(19) })
    const { _id: id } = await as(rcs.admin).ask('bots.create', { body: { requestId, provider: 'rbm' } })
    const change = (details: BotDetailsChange) => as(rcs.admin).call('bots.update', { body: { id, details } })
    const details = async () => (await as(rcs.admin).ask('bots.get', { path: { id } })).details
    const before = await details()
    expect(before).toMatchObject({ entityId: expect.any(String), review: expect.any(Object) })

    expect(await change({ entityId: '', review: null })).toMatchObject({ status: 200 })
    const { entityId: _, review: __, ...rest } = before
    expect(await details()).toEqual(rest)
    const entityIds = async () =>
      (await rcs.server.database.systemPool.query('select entity_id from senders where id = $1', [id])).rows
    expect(await entityIds()).toEqual([{ entity_id: null }])

    // What the provider shows to people cannot be empty.
    expect(await change({ privacyUrl: null })).toMatchObject({
      status: 400,
      body: { details: [expect.objectContaining({ field: 'details.privacyUrl' })] },
    })
    expect(await change({ emails: [] })).toMatchObject({
      status: 400,
      body: { details: [expect.objectContaining({ field: 'details.phoneNumbers' })] },
    })
    expect(await change({ color: '#5eead4' })).toMatchObject({
      status: 400,
      body: { details: [{ field: 'details.color', message: expect.stringContaining('darker') }] },
    })
    expect(await details()).toEqual(rest)
  })

  test('that is not managed from here can lose every detail', async () => {
    const { _id: id } = await as(rcs.admin).ask('bots.create', {
      body: {
        organizationId: rcs.manager.organizationId,
        provider: 'dotgo',
        botId: 'emptied_bot',
        config: botConfig(),
        details: await detailsOf(rcs.manager, { name: 'Acme Elsewhere' }),
      },
    })
    const { details } = await as(rcs.admin).ask('bots.get', { path: { id } })
    const none = Object.fromEntries(Object.keys(details).map((name) => [name, null]))
    const bot = await as(rcs.admin).ask('bots.update', { body: { id, details: none } })
    expect(bot).toMatchObject({ details: {}, logoUrl: null, name: 'Acme Elsewhere' })
  })

  test('keeps its secrets and other settings when one is changed', async () => {
    const { _id: id } = await create('Acme Settings')
    await as(rcs.admin).ask('bots.update', { body: { id, ratePerSecond: 25, config: { concurrency: 7 } } })
    expect((await as(rcs.admin).ask('bots.get', { path: { id } })).settings).toMatchObject({
      ratePerSecond: 25,
      config: { concurrency: 7, agentId: expect.any(String) },
      secretsSet: ['clientToken'],
    })
  })
})

describe('the partner account', () => {
  test.each([
    ['no JSON', 'nothing', 'keyFile'],
    ['another kind of file', JSON.stringify({ type: 'authorized_user' }), 'keyFile'],
    [
      'a key that is none',
      JSON.stringify({
        type: 'service_account',
        client_email: 'a@b.example',
        private_key: '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n',
      }),
      'keyFile',
    ],
  ])('rejects %s', async (_, keyFile, field) => {
    expect(await as(rcs.admin).call('rcsPartner.set', { body: { ...rcs.partner(), keyFile } })).toMatchObject({
      status: 400,
      body: { details: [{ field }] },
    })
  })

  test('lists the brands, and sends its stored key to no other server', async () => {
    expect(await as(rcs.admin).ask('rcsPartner.check', { body: { ...rcs.partner(), keyFile: '' } })).toMatchObject({
      isConnected: true,
      brands: expect.arrayContaining([expect.any(String)]),
    })
    const elsewhere = { keyFile: '', apiUrl: 'https://other.example', managementUrl: rcs.partner().managementUrl }
    expect(await as(rcs.admin).call('rcsPartner.check', { body: elsewhere })).toMatchObject({
      status: 400,
      body: { details: [{ field: 'keyFile' }] },
    })
  })

  test('is never returned, and stored encrypted', async () => {
    const key = rcs.simulator.rbm.control.serviceAccount().private_key
    const line = key.split('\n')[3] ?? ''
    const { text } = await as(rcs.admin).call('rcsPartner.get')
    expect(text).toContain('iam.gserviceaccount.com')
    expect(text).not.toContain(line)
    const { rows } = await rcs.server.database.systemPool.query<{ row: string }>(
      `select system_state::text as row from system_state union all select audit_log::text from audit_log`,
    )
    expect(rows.map(({ row }) => row).join('\n')).not.toContain(line)
    expect(rows.map(({ row }) => row).join('\n')).toContain('rcs_partner.changed')
  })
})

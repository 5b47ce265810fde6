import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Simulator, startSimulator } from '../index.ts'
import { demoAccount } from './demo-account.ts'
import { type Answer, graphClient, startWebhook } from './testing.ts'
import type { Row } from './objects.ts'

const { wabaId, appId, appSecret } = demoAccount
const [numberId, otherId] = demoAccount.phoneNumberIds
let simulator: Simulator
let webhook: Awaited<ReturnType<typeof startWebhook>>
let call: (line: string, body?: unknown) => Promise<Answer>

beforeEach(async () => {
  simulator = await startSimulator()
  webhook = await startWebhook()
  call = graphClient(simulator)
})
afterEach(async () => {
  await simulator.close()
  await webhook.close()
})

const listen = () => simulator.graph.control.setWebhook({ url: webhook.url })
const register = (id: string | undefined, pin = '123456') =>
  call(`POST ${id}/register`, { messaging_product: 'whatsapp', pin })

test('numbers, with default and requested fields, paged', async () => {
  expect((await call(`GET ${wabaId}/phone_numbers`)).body).toMatchObject({
    data: [
      {
        id: numberId,
        display_phone_number: '+91 80 4718 1000',
        verified_name: 'Acme Retail',
        quality_rating: 'GREEN',
        code_verification_status: 'VERIFIED',
        platform_type: 'CLOUD_API',
        throughput: { level: 'STANDARD' },
      },
      { id: otherId },
    ],
    paging: { cursors: { before: expect.any(String), after: expect.any(String) } },
  })
  expect(
    (
      await call(
        `GET ${numberId}?fields=status,name_status,account_mode,messaging_limit_tier,health_status{can_send_message}`,
      )
    ).body,
  ).toEqual({
    id: numberId,
    status: 'CONNECTED',
    name_status: 'APPROVED',
    account_mode: 'LIVE',
    messaging_limit_tier: 'TIER_100K',
    health_status: {
      can_send_message: 'AVAILABLE',
      entities: ['PHONE_NUMBER', 'WABA', 'BUSINESS', 'APP'].map((entity_type) => ({
        entity_type,
        id: expect.any(String),
        can_send_message: 'AVAILABLE',
      })),
    },
  })
  const first = (await call(`GET ${wabaId}/phone_numbers?limit=1`)).body.paging as { next: string }
  expect(await (await fetch(first.next)).json()).toMatchObject({ data: [{ id: otherId }] })
})

test('a number from its creation to its registration', async () => {
  const made = await call(`POST ${wabaId}/phone_numbers`, {
    cc: '91',
    phone_number: '8047183000',
    verified_name: 'Acme News',
  })
  const id = String(made.body.id)
  expect((await register(id)).body).toMatchObject({ error: { code: 133006 } })
  expect((await call(`POST ${id}/request_code`, { code_method: 'PIGEON', language: 'en' })).body).toMatchObject({
    error: { code: 100 },
  })
  expect((await call(`POST ${id}/request_code`, { code_method: 'SMS', language: 'en' })).body).toEqual({
    success: true,
  })
  simulator.graph.control.changeNumber(id, { code: '654321' })
  expect((await call(`POST ${id}/verify_code`, { code: '000000' })).body).toMatchObject({ error: { code: 136025 } })
  expect((await call(`POST ${id}/verify_code`, { code: '654-321' })).body).toEqual({ success: true })
  const message = { messaging_product: 'whatsapp', to: '+919812345678', type: 'text', text: { body: 'Hi' } }
  expect((await call(`POST ${id}/messages`, message)).body).toMatchObject({ error: { code: 133010 } })
  expect((await register(id, '12')).body).toMatchObject({ error: { code: 100 } })
  expect((await register(id)).body).toEqual({ success: true })
  expect((await call(`GET ${id}?fields=status,platform_type`)).body).toEqual({
    id,
    status: 'CONNECTED',
    platform_type: 'CLOUD_API',
  })
  expect((await call(`POST ${id}/messages`, message)).status).toBe(200)
  expect((await call(`POST ${id}/deregister`)).body).toEqual({ success: true })
})

test('a wrong PIN is 133005, too many are 133008, a new PIN works, ten registrations are 133016', async () => {
  await call(`POST ${numberId}`, { pin: '111111' })
  const codes: unknown[] = []
  for (let count = 0; count < 6; count += 1) codes.push(((await register(numberId)).body.error as Row).code)
  expect(codes).toEqual([133005, 133005, 133005, 133005, 133005, 133008])
  await call(`POST ${numberId}`, { pin: '123456' })
  for (let count = 0; count < 4; count += 1) expect((await register(numberId)).body).toEqual({ success: true })
  expect((await register(numberId)).body).toMatchObject({ error: { code: 133016 } })
})

test('the profile is stored flat, and validated', async () => {
  const save = (changes: Row) =>
    call(`POST ${numberId}/whatsapp_business_profile`, { messaging_product: 'whatsapp', ...changes })
  expect((await save({ about: 'We sell', websites: ['https://a.in'], vertical: 'RETAIL' })).body).toEqual({
    success: true,
  })
  expect((await call(`GET ${numberId}/whatsapp_business_profile?fields=about,vertical`)).body).toEqual({
    data: [{ about: 'We sell', vertical: 'RETAIL', messaging_product: 'whatsapp' }],
  })
  const wrong: Row[] = [
    { about: '' },
    { about: 'x'.repeat(140) },
    { email: 'nobody' },
    { websites: ['a.in'] },
    { websites: ['https://a', 'https://b', 'https://c'] },
    { vertical: 'MAGIC' },
    { profile_picture_handle: '4::x' },
    { messaging_product: undefined },
  ]
  for (const changes of wrong) expect([changes, (await save(changes)).status]).toEqual([changes, 400])
})

test('the account: fields, health, insights that can only be enabled', async () => {
  expect((await call(`GET ${wabaId}?fields=name,currency,account_review_status,owner_business_info`)).body).toEqual({
    id: wabaId,
    name: 'Acme Retail',
    currency: 'INR',
    account_review_status: 'APPROVED',
    owner_business_info: { name: 'Acme Retail', id: demoAccount.businessId },
  })
  simulator.graph.control.changeWaba(wabaId, { status: 'DISABLED' })
  expect((await call(`GET ${wabaId}?fields=health_status`)).body).toMatchObject({
    health_status: { can_send_message: 'BLOCKED' },
  })
  expect((await call(`POST ${wabaId}?is_enabled_for_insights=false`)).body).toMatchObject({ error: { code: 200006 } })
  expect((await call(`POST ${wabaId}?is_enabled_for_insights=true`)).status).toBe(200)
})

test('embedded sign-up: a code valid once for half a minute, a token for that account only, and its number', async () => {
  const { code, message } = simulator.graph.control.signUp({ name: 'Bharat Books' })
  const { waba_id, phone_number_id } = message.data
  const exchange = async (fields: Record<string, string>) =>
    (
      await fetch(
        `${simulator.graph.baseUrl}/v25.0/oauth/access_token?${new URLSearchParams({ client_id: appId, client_secret: appSecret, ...fields }).toString()}`,
      )
    ).json()
  expect(await exchange({ code, client_secret: 'guess' })).toMatchObject({ error: { code: 1 } })
  const { access_token, token_type } = await exchange({ code })
  expect(token_type).toBe('bearer')
  expect(await exchange({ code })).toMatchObject({ error: { code: 100 } })
  simulator.graph.control.set({ codeMs: 0 })
  const stale = simulator.graph.control.signUp({})
  await expect.poll(() => exchange({ code: stale.code })).toMatchObject({ error: { code: 100 } })

  const theirs = graphClient(simulator, { token: access_token })
  expect((await theirs(`GET debug_token?input_token=${access_token}`)).body).toMatchObject({
    data: {
      app_id: appId,
      is_valid: true,
      granular_scopes: expect.arrayContaining([{ scope: 'whatsapp_business_messaging', target_ids: [waba_id] }]),
    },
  })
  expect((await theirs(`GET ${wabaId}`)).body).toMatchObject({ error: { code: 100, error_subcode: 33 } })
  expect((await theirs(`POST ${waba_id}/subscribed_apps`)).body).toEqual({ success: true })
  expect(
    (await theirs(`POST ${phone_number_id}/register`, { messaging_product: 'whatsapp', pin: '123456' })).body,
  ).toEqual({ success: true })
})

test('tokens: revoked, expired, or without the permission', async () => {
  const { putToken, revokeToken } = simulator.graph.control
  const ask = async (row: Row, line = `GET ${wabaId}`) => {
    const { token } = putToken(row)
    if (row.isRevoked === true) revokeToken({ token })
    return graphClient(simulator, { token })(line, line.startsWith('POST') ? {} : undefined)
  }
  expect(await ask({ isRevoked: true })).toMatchObject({ status: 401, body: { error: { code: 190 } } })
  expect(await ask({ expiresInMs: 0 })).toMatchObject({
    status: 401,
    body: { error: { code: 190, error_subcode: 463 } },
  })
  expect(await ask({ scopes: ['whatsapp_business_messaging'] })).toMatchObject({
    status: 403,
    body: { error: { code: 200 } },
  })
  expect(await ask({ scopes: ['whatsapp_business_management'] }, `POST ${numberId}/messages`)).toMatchObject({
    status: 403,
    body: { error: { code: 10 } },
  })
  expect(await ask({ wabaIds: ['1'] })).toMatchObject({ status: 400, body: { error: { code: 100 } } })
})

test("the app's own webhook is set with the app's token and a handshake", async () => {
  const asApp = graphClient(simulator, { token: `${appId}|${appSecret}` })
  const wanted = {
    object: 'whatsapp_business_account',
    callback_url: webhook.url,
    fields: ['messages', 'account_update'],
  }
  expect((await call(`POST ${appId}/subscriptions`, wanted)).body).toMatchObject({ error: { code: 15 } })
  expect((await asApp(`POST ${appId}/subscriptions`, { ...wanted, verify_token: 'guess' })).body).toMatchObject({
    error: { code: 2200 },
  })
  expect(
    (await asApp(`POST ${appId}/subscriptions`, { ...wanted, verify_token: demoAccount.verifyToken })).body,
  ).toEqual({ success: true })
  expect((await asApp(`GET ${appId}/subscriptions`)).body).toMatchObject({
    data: [{ callback_url: webhook.url, active: true }],
  })
  await call(`POST ${wabaId}/subscribed_apps`)
  simulator.graph.control.changeNumber(numberId, { limitTier: 'TIER_10K' })
  simulator.graph.control.changeWaba(wabaId, {
    event: 'DISABLED_UPDATE',
    about: { ban_info: { waba_ban_state: 'DISABLE' } },
  })
  expect(await webhook.waitForChanges('account_update', 1)).toMatchObject([
    { event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: 'DISABLE' } },
  ])
  expect(webhook.changes('phone_number_quality_update')).toEqual([])
})

test.each<[string, (id: string) => unknown, Row]>([
  [
    'phone_number_quality_update',
    (id) => simulator.graph.control.changeNumber(id, { limitTier: 'TIER_10K' }),
    { event: 'ONBOARDING', max_daily_conversations_per_business: 'TIER_10K' },
  ],
  [
    'phone_number_name_update',
    (id) => simulator.graph.control.changeNumber(id, { verifiedName: 'New name' }),
    { decision: 'APPROVED', requested_verified_name: 'New name' },
  ],
  [
    'account_review_update',
    () => simulator.graph.control.changeWaba(wabaId, { accountReviewStatus: 'REJECTED' }),
    { decision: 'REJECTED' },
  ],
  [
    'account_alerts',
    () => simulator.graph.control.sendUpdate({ field: 'account_alerts', value: { entity_type: 'BUSINESS' } }),
    { entity_type: 'BUSINESS' },
  ],
])('%s', async (field, action, value) => {
  await listen()
  action(numberId)
  expect(await webhook.waitForChanges(field, 1)).toMatchObject([value])
})

test('a number may have a webhook of its own', async () => {
  await listen()
  const own = await startWebhook()
  const webhook_configuration = { override_callback_uri: own.url, verify_token: demoAccount.verifyToken }
  expect((await call(`POST ${numberId}`, { webhook_configuration })).body).toEqual({ success: true })
  simulator.graph.control.write('919812345678', { phoneNumberId: numberId, type: 'text', text: { body: 'Hi' } })
  expect(await own.waitForMessages(1)).toMatchObject([{ text: { body: 'Hi' } }])
  expect(webhook.messages()).toEqual([])
  await own.close()
})

test('the limit of people reached per day, excluding those who wrote first', async () => {
  await listen()
  simulator.graph.control.set({ readShare: 0, throughput: 0, tierLimit: true })
  simulator.graph.control.changeNumber(numberId, { limitTier: 'TIER_50' })
  simulator.graph.control.setWindow('919812399999', { phoneNumberId: numberId })
  const template = { name: 'hello_world', language: { code: 'en_US' } }
  const send = (to: string) =>
    call(`POST ${numberId}/messages`, { messaging_product: 'whatsapp', to, type: 'template', template })
  for (let index = 100; index < 151; index += 1) await send(`+919812345${index}`)
  await send('+919812399999')
  const statuses = await webhook.waitForStatuses(103)
  expect(statuses.filter(({ status }) => status === 'failed')).toMatchObject([
    { recipient_id: '919812345150', errors: [{ code: 131048 }] },
  ])
})

test('all numbers of a business share its limit, across accounts; another business has its own', async () => {
  await listen()
  simulator.graph.control.set({ readShare: 0, throughput: 0, tierLimit: true })
  simulator.graph.control.changeNumber(numberId, { limitTier: 'TIER_50' })
  const template = { name: 'hello_world', language: { code: 'en_US' } }
  const send = (from: string, to: string) =>
    call(`POST ${from}/messages`, { messaging_product: 'whatsapp', to, type: 'template', template })
  const other = demoAccount.phoneNumberIds[1]
  for (let index = 100; index < 150; index += 1) await send(index % 2 ? numberId : other, `+919812345${index}`)
  await send(other, '+919812345101')
  await send(other, '+919812345150')
  const statuses = await webhook.waitForStatuses(103)
  expect(statuses.filter(({ status }) => status === 'failed')).toMatchObject([
    { recipient_id: '919812345150', errors: [{ code: 131048 }] },
  ])
  const limitOf = async (business: Row) => {
    const { waba_id } = simulator.graph.control.signUp(business).message.data
    return (await call(`GET ${waba_id}?fields=whatsapp_business_manager_messaging_limit`)).body
  }
  expect(await limitOf({ businessId: demoAccount.businessId })).toMatchObject({
    whatsapp_business_manager_messaging_limit: 'TIER_50',
  })
  expect(await limitOf({})).toMatchObject({ whatsapp_business_manager_messaging_limit: 'TIER_250' })
})

test.each<[string, (id: string) => unknown, number]>([
  ['a banned number', (id) => simulator.graph.control.changeNumber(id, { status: 'BANNED' }), 131031],
  ['a number in maintenance', (id) => simulator.graph.control.changeNumber(id, { status: 'MAINTENANCE' }), 131057],
  ['a locked account', () => simulator.graph.control.changeWaba(wabaId, { status: 'DISABLED' }), 131031],
])('%s rejects every message', async (_, action, code) => {
  action(numberId)
  const message = { messaging_product: 'whatsapp', to: '+919812345678', type: 'text', text: { body: 'Hi' } }
  expect((await call(`POST ${numberId}/messages`, message)).body).toMatchObject({ error: { code } })
})

test('a payment problem fails templates later; so does media behind a broken link, when links are fetched', async () => {
  await listen()
  simulator.graph.control.changeWaba(wabaId, { hasPaymentProblem: true })
  simulator.graph.control.set({ fetchLinks: true })
  simulator.graph.control.setWindow('919812345671', { phoneNumberId: numberId })
  const send = (to: string, message: Row) =>
    call(`POST ${numberId}/messages`, { messaging_product: 'whatsapp', to, ...message })
  await send('+919812345672', { type: 'template', template: { name: 'hello_world', language: { code: 'en_US' } } })
  await send('+919812345671', { type: 'image', image: { link: 'http://127.0.0.1:1/a.png' } })
  const codes = (await webhook.waitForStatuses(2)).map(({ errors }) => (errors as [{ code: number }])[0].code)
  expect(codes.toSorted((one, other) => one - other)).toEqual([131042, 131053])
})

test('a reset deletes messages and keeps accounts; a restart deletes everything', async () => {
  await listen()
  simulator.graph.control.write('919812345678', { phoneNumberId: numberId, type: 'text', text: { body: 'Hi' } })
  await webhook.waitForMessages(1)
  simulator.reset()
  simulator.graph.control.write('919812345678', { phoneNumberId: numberId, type: 'text', text: { body: 'Again' } })
  expect(await webhook.waitForMessages(2)).toMatchObject([{}, { text: { body: 'Again' } }])
  simulator.graph.control.restart()
  expect(simulator.graph.control.overview()).toMatchObject({
    apps: [{ callbackUrl: undefined }],
    wabas: [{ subscriptions: [] }],
  })
})

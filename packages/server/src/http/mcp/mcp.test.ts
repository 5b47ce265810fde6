import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { ApiScope } from '@carillon/contract/api-scopes'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../../lib/ids.ts'
import { buildSender } from '../../modules/messages/test-lane.ts'
import { buildKey } from '../../testing/api-keys.ts'
import { buildAdmin, buildManager, type Account } from '../../testing/builders.ts'
import { buildCanaryFixtures, marks, type CanaryFixtures } from '../../testing/canary-fixtures.ts'
import { issueTo, setSmsPrice } from '../../testing/money.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { tools } from './tools.ts'

let server: TestServer
let manager: Account

beforeAll(async () => {
  server = await testServer({ flags: ['--run=web'] })
})
beforeEach(async () => {
  manager = await buildManager(server.database)
})
afterAll(() => server.close())

/** With everything that a message needs. */
async function prepareToSend() {
  const admin = await buildAdmin(server.database)
  await buildSender(server.database, manager)
  await setSmsPrice(server.database, manager, 1500)
  await issueTo(server.database, { admin, account: manager, units: 10_000_000 })
}

/** By the handshake of 2025, or by the protocol of 2026 without one. */
async function connect(token: string, mode: 'legacy' | 'auto' = 'legacy') {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { requestInit }))
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() })
}

const agent = async (options: Parameters<typeof buildKey>[2] = {}, owner = manager) =>
  connect((await buildKey(server.database, owner, options)).token)

const stored = async () => {
  const text = 'select count(*)::int from single_sends where account_id = $1'
  return (await server.database.systemPool.query<{ count: number }>(text, [manager.id])).rows[0]?.count
}

const message = { to: '+919812345678', text: 'Your order is on its way' }
const textOf = ({ content }: { content: unknown }) => (content as { text: string }[]).map(({ text }) => text).join('\n')

/** Without the client of the protocol. */
const post = (body: string, token?: string, headers: Record<string, string> = {}) =>
  fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    body,
  })

describe('a client', () => {
  test('lists every tool with a key of all scopes, and those of its scopes with another', async () => {
    await using all = await agent()
    expect((await all.listTools()).tools.map(({ name }) => name).toSorted()).toEqual([...tools.keys()].toSorted())
    await using narrow = await agent({ scopes: ['templates:read', 'balance:read'] })
    expect((await narrow.listTools()).tools.map(({ name }) => name)).toEqual(['list_templates', 'get_balance'])
    await using none = await agent({ scopes: ['media:write'] })
    expect((await none.listTools()).tools).toEqual([])
  })

  test('of the protocol of 2026 lists and calls tools, and cannot subscribe', async () => {
    const { token } = await buildKey(server.database, manager)
    await using client = await connect(token, 'auto')
    expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28')
    expect((await client.listTools()).tools).toHaveLength(tools.size)
    const answer = await client.callTool({ name: 'get_balance', arguments: {} })
    expect(answer.structuredContent).toMatchObject({ currency: 'INR' })
    await expect(client.listen({ toolsListChanged: true })).rejects.toThrow('Subscription limit reached')
  })

  test('gets no tool of a module that the owner of the key lacks, or of another role', async () => {
    await server.database.systemPool.query(`delete from account_modules where account_id = $1 and module = 'chat'`, [
      manager.id,
    ])
    await using client = await agent()
    const names = (await client.listTools()).tools.map(({ name }) => name)
    expect(names).toContain('list_campaigns')
    expect(names).not.toContain('list_conversations')
    await using admin = await agent({}, await buildAdmin(server.database))
    expect((await admin.listTools()).tools.map(({ name }) => name)).not.toContain('send_message')
  })

  test('sees arguments with their types, and whether a tool only reads', async () => {
    await using client = await agent()
    const { tools: listed } = await client.listTools()
    expect(listed.find(({ name }) => name === 'send_message')).toMatchObject({
      annotations: { readOnlyHint: false },
      inputSchema: {
        properties: { to: { type: 'string' }, dryRun: { default: true }, idempotencyKey: { type: 'string' } },
        required: ['to'],
        additionalProperties: false,
      },
    })
    expect(listed.find(({ name }) => name === 'get_message')).toMatchObject({
      annotations: { readOnlyHint: true },
      inputSchema: { required: ['id'] },
    })
  })
})

describe('sending', () => {
  beforeEach(prepareToSend)

  test('is a dry run, which costs and stores nothing, unless told otherwise', async () => {
    await using client = await agent()
    const checked = await client.callTool({ name: 'send_message', arguments: message })
    expect(checked.structuredContent).toMatchObject({
      to: message.to,
      channel: 'sms',
      parts: 1,
      cost: 0.15,
      dryRun: true,
    })
    expect(checked.structuredContent).not.toHaveProperty('id')
    expect(textOf(checked)).toContain('nothing was sent')
    expect(await stored()).toBe(0)
    const { rows } = await server.database.systemPool.query<{ held: string }>(
      `select held from ledger_accounts where account_id = $1 and kind = 'balance'`,
      [manager.id],
    )
    expect(Number(rows[0]?.held)).toBe(0)
  })

  test('sends with dryRun false, and the message can be read', async () => {
    await using client = await agent()
    const sent = await client.callTool({
      name: 'send_message',
      arguments: { ...message, dryRun: false, reference: 'order 7' },
    })
    expect(sent.structuredContent).toMatchObject({ status: 'queued', reference: 'order 7' })
    expect(await stored()).toBe(1)
    const { id } = sent.structuredContent as { id: string }
    expect((await client.callTool({ name: 'get_message', arguments: { id } })).structuredContent).toMatchObject({
      id,
      text: message.text,
    })
    const listed = await client.callTool({ name: 'list_messages', arguments: { reference: 'order 7', limit: 5 } })
    expect(listed.structuredContent).toMatchObject({ messages: [{ id }] })
  })

  test('with an idempotency key has one effect', async () => {
    await using client = await agent()
    const call = { name: 'send_message', arguments: { ...message, dryRun: false, idempotencyKey: 'order 7' } }
    const [first, second] = [await client.callTool(call), await client.callTool(call)]
    expect(second.structuredContent).toEqual(first.structuredContent)
    expect(await stored()).toBe(1)
    const other = await client.callTool({ ...call, arguments: { ...call.arguments, text: 'Other' } })
    expect(other).toMatchObject({ isError: true, structuredContent: { code: 'idempotency_mismatch' } })
  })

  test('is refused as over HTTP, in words and by field, in a dry run as well', async () => {
    await using client = await agent()
    const refused = async (more: object) =>
      client.callTool({ name: 'send_message', arguments: { ...message, ...more } })
    expect(await refused({ to: '12' })).toMatchObject({
      isError: true,
      structuredContent: { code: 'bad_request', details: [{ field: 'to' }] },
    })
    expect(await refused({ subject: 'x' })).toMatchObject({
      isError: true,
      structuredContent: { message: 'subject is not an argument of this tool' },
    })
    expect(await refused({ dryRun: 'no' })).toMatchObject({
      isError: true,
      structuredContent: { message: 'dryRun is true or false' },
    })
    expect(await refused({ dryRun: false, idempotencyKey: 7 })).toMatchObject({
      isError: true,
      structuredContent: { message: 'idempotencyKey is a text' },
    })
    expect(await refused({ text: undefined })).toMatchObject({
      isError: true,
      structuredContent: { code: 'bad_request' },
    })
    expect(await refused({ dryRun: false, sendAt: '2020-01-01T00:00:00Z' })).toMatchObject({
      isError: true,
      structuredContent: { code: 'bad_request' },
    })
    expect(await stored()).toBe(0)
  })

  test('follows the config of the key', async () => {
    await using client = await agent({ config: { spend: { maxPerMessage: 0.1, onLimit: 'reject' } } })
    const sent = await client.callTool({ name: 'send_message', arguments: { ...message, dryRun: false } })
    expect(sent).toMatchObject({ isError: true, structuredContent: { code: 'limit_exceeded' } })
    expect(await stored()).toBe(0)
  })
})

describe('a tool', () => {
  test('that is unknown, or that the key may not use, is an error of the protocol', async () => {
    await using client = await agent({ scopes: ['templates:read'] })
    await expect(client.callTool({ name: 'drop_tables', arguments: {} })).rejects.toThrow(
      'There is no tool drop_tables',
    )
    await expect(client.callTool({ name: 'send_message', arguments: message })).rejects.toThrow(
      'There is no tool send_message',
    )
    expect(await stored()).toBe(0)
  })

  test.each(['..', '', 'x', undefined, '../messages', { a: 1 }])('with the id %j makes no other call', async (id) => {
    await using client = await agent()
    const answer = await client.callTool({ name: 'get_campaign', arguments: { id } })
    expect(answer).toMatchObject({ isError: true, structuredContent: { code: 'bad_request' } })
    expect(textOf(answer)).toContain('id')
  })
})

describe('a key', () => {
  const initialize = (version = '2025-06-18') =>
    JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: version, capabilities: {}, clientInfo: { name: 'test', version: '1' } },
    })
  const yesterday = new Date(Date.now() - 86_400_000)

  test.each([
    ['that expired', { expiresAt: yesterday }, 401, 'key_expired'],
    ['that was deactivated', { deactivatedAt: yesterday }, 401, 'key_deactivated'],
    ['from elsewhere', { ipAllowlist: ['203.0.113.7'] }, 403, 'ip_not_allowed'],
  ] as const)('%s is refused', async (_, options, status, code) => {
    const { token } = await buildKey(server.database, manager, options)
    const answer = await post(initialize(), token)
    expect(answer.status).toBe(status)
    expect(await answer.json()).toMatchObject({ code })
    await expect(connect(token)).rejects.toThrow()
  })

  test('that is absent, unknown, in the URL, or a session, is refused', async () => {
    expect((await post(initialize())).status).toBe(401)
    expect((await post(initialize(), 'unknown')).status).toBe(401)
    expect(await (await post(initialize(), manager.token)).json()).toMatchObject({ code: 'forbidden' })
    const { token } = await buildKey(server.database, manager)
    const inUrl = await fetch(`${server.url}/mcp?key=${token}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    })
    expect(await inUrl.json()).toMatchObject({ code: 'key_in_url' })
  })

  test('that is revoked while a client is connected stops it', async () => {
    const { id, token } = await buildKey(server.database, manager)
    await using client = await connect(token)
    expect((await client.callTool({ name: 'get_balance', arguments: {} })).isError).not.toBe(true)
    await server.ask('apiKeys.deactivate', { as: manager, path: { id } })
    await expect(client.callTool({ name: 'get_balance', arguments: {} })).rejects.toThrow()
    await expect(client.listTools()).rejects.toThrow()
  })

  test('has one limit for tools and other calls, and each tool call counts once', async () => {
    const limited = await testServer({
      environment: { API_KEY_REQUESTS_PER_SECOND: '3' },
      beside: server,
      flags: ['--run=web'],
    })
    try {
      const { token } = await buildKey(server.database, manager)
      const ask = (method: string, params: object = {}) =>
        fetch(`${limited.url}/mcp`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${token}`,
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
          },
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
        })
      const remaining: string[] = []
      for (const _ of [1, 2]) {
        await ask('tools/call', { name: 'get_balance', arguments: {} })
        const { headers } = await fetch(`${limited.url}/api/public/v1/balance`, {
          headers: { authorization: `Bearer ${token}` },
        })
        remaining.push(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1] ?? '')
      }
      expect(remaining[0]).toBe('1')
      const answers = await Promise.all(Array.from({ length: 10 }, () => ask('tools/list')))
      expect(answers.map(({ status }) => status)).toContain(429)
      const unknown = await Promise.all(Array.from({ length: 10 }, () => ask('tools/call', { name: 'unknown' })))
      expect(unknown.map(({ status }) => status)).toContain(429)
    } finally {
      await limited.close()
    }
  })
})

describe('what is not of the protocol', () => {
  let token: string
  beforeEach(async () => {
    token = (await buildKey(server.database, manager)).token
  })

  test.each([
    ['no JSON', '{', -32700],
    ['nothing', '', -32700],
    ['no request', '{"hello":1}', undefined],
    ['null', 'null', undefined],
    ['a list', '[]', undefined],
    ['a deep list', '['.repeat(20_000), -32700],
  ])('%s is an error with a code', async (_, body, code) => {
    const answer = await post(body, token)
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({
      error: { code: code ?? expect.any(Number), message: expect.any(String) },
    })
  })

  test('an unknown method, and subscriptions, are errors', async () => {
    for (const method of ['resources/list', 'subscriptions/listen', 'nonsense']) {
      const answer = await post(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: {} }), token)
      expect(await answer.text()).toContain('"error"')
    }
  })

  test('GET and DELETE are answered with 405, other types of bodies and large ones are refused', async () => {
    for (const method of ['GET', 'DELETE']) expect((await fetch(`${server.url}/mcp`, { method })).status).toBe(405)
    expect((await post('a=b', token, { 'content-type': 'application/x-www-form-urlencoded' })).status).toBe(415)
    expect((await post(`"${'x'.repeat(300 * 1024)}"`, token)).status).toBe(413)
  })
})

describe('tenants', () => {
  let canaries: CanaryFixtures
  beforeAll(async () => {
    canaries = await buildCanaryFixtures(server.database)
  })

  test('no tool shows what belongs to another organisation', async () => {
    await using client = await agent({ scopes: ApiScope.options }, canaries.people.manager)
    const { singleSend, campaign, conversation, contact } = canaries.foreignHas as unknown as Record<string, string>
    const foreign: Record<string, Record<string, unknown>> = {
      get_message: { id: singleSend },
      get_campaign: { id: campaign },
      get_campaign_report: { campaignId: campaign },
      get_contact: { id: contact },
      get_conversation: { id: conversation },
      read_conversation: { id: conversation },
    }
    const answers: string[] = []
    for (const [name, { inputSchema, isRead }] of tools) {
      if (!isRead) continue
      if (inputSchema.required.length > 0 && !foreign[name] && name !== 'search_conversations')
        throw new Error(`Name what ${name} reads`)
      const answer = await client.callTool({
        name,
        arguments: foreign[name] ?? (name === 'search_conversations' ? { q: 'Canary' } : {}),
      })
      if (foreign[name])
        expect([name, answer.structuredContent]).toEqual([name, expect.objectContaining({ code: 'not_found' })])
      answers.push(JSON.stringify(answer))
    }
    const all = answers.join()
    expect(all).toContain(marks.acme)
    expect(all).not.toContain(marks.foreign)
    expect(all).not.toContain(marks.above)
  })

  test('an idempotency key of another organisation is not known', async () => {
    await prepareToSend()
    const key = newId()
    await using client = await agent()
    await client.callTool({ name: 'send_message', arguments: { ...message, dryRun: false, idempotencyKey: key } })
    await using other = await agent({}, canaries.foreign)
    const answer = await other.callTool({
      name: 'send_message',
      arguments: { ...message, dryRun: false, idempotencyKey: key },
    })
    expect(JSON.stringify(answer)).not.toContain('idempotency')
  })
})

import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startSimulator, type Simulator } from '../index.ts'
import { orderUpdate } from './testing-templates.ts'

let directory: string
let simulator: Simulator | undefined
let callbacks: Server

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'carillon-simulator-'))
  callbacks = createServer((request, response) => {
    response.end(new URL(request.url ?? '/', 'http://any').searchParams.get('hub.challenge') ?? '')
  })
  await new Promise<void>((resolve) => callbacks.listen(0, '127.0.0.1', resolve))
})
afterEach(async () => {
  await simulator?.close()
  callbacks.close()
  rmSync(directory, { recursive: true, force: true })
})

const start = async (file = 'graph') =>
  (simulator = await startSimulator({ graph: { reviewMs: 1 }, graphFile: join(directory, file) }))

async function restart(): Promise<Simulator> {
  await simulator?.close()
  return start()
}

function graphCall({ graph }: Simulator, path: string, body?: unknown) {
  return fetch(`${graph.baseUrl}/v25.0/${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${graph.token}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
}

test('accounts, numbers, templates and subscriptions survive a restart', async () => {
  const first = await start()
  const port = (callbacks.address() as AddressInfo).port
  const { waba_id } = first.graph.control.signUp({ name: 'Acme Offers', phoneNumber: '+91 80 4719 3000' }).message.data
  const created = await graphCall(first, `${waba_id}/message_templates`, orderUpdate)
  const { id } = (await created.json()) as { id: string }
  await graphCall(first, `${waba_id}/subscribed_apps`, {
    override_callback_uri: `http://127.0.0.1:${port}/hooks/key/events`,
    verify_token: 'secret',
  })
  const before = { numbers: first.graph.control.overview().numbers, wabas: first.graph.control.overview().wabas }

  const second = await restart()
  expect(second.graph.control.overview()).toMatchObject(before)
  expect(await (await graphCall(second, `${id}?fields=name,status`)).json()).toMatchObject({ name: 'order_update' })

  second.graph.control.moveCallbacks('http://127.0.0.1:4321')
  const moved = second.graph.control.overview().wabas.find((waba) => waba.id === waba_id)
  expect(moved?.subscriptions.map(({ url }) => url)).toEqual(['http://127.0.0.1:4321/hooks/key/events'])
  const third = second.graph.control.signUp({ name: 'Another', phoneNumber: '+91 80 4719 4000' }).message.data
  expect(third.waba_id).not.toBe(waba_id)
})

test('what a call created is in the file once the call has a response, so it survives a kill', async () => {
  const first = await start()
  const created = await graphCall(first, `${first.graph.wabaId}/message_templates`, orderUpdate)
  const { id } = (await created.json()) as { id: string }
  copyFileSync(join(directory, 'graph'), join(directory, 'copy'))
  await first.close()
  const second = await start('copy')
  expect(await (await graphCall(second, `${id}?fields=name`)).json()).toMatchObject({ name: 'order_update' })
})

test('a file that cannot be read is ignored', async () => {
  writeFileSync(join(directory, 'graph'), 'not a snapshot')
  const { graph } = await start()
  expect(graph.control.overview().wabas).toMatchObject([{ id: graph.wabaId }])
})

import { createHash } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Simulator, startSimulator } from '../index.ts'
import { demoAccount } from './demo-account.ts'
import { type Answer, graphClient } from './testing.ts'

const [numberId, otherId] = demoAccount.phoneNumberIds
const bearer = { authorization: `Bearer ${demoAccount.token}` }
const oauth = { authorization: `OAuth ${demoAccount.token}` }
let simulator: Simulator
let call: (line: string, body?: unknown) => Promise<Answer>

beforeEach(async () => {
  simulator = await startSimulator()
  call = graphClient(simulator)
})
afterEach(() => simulator.close())

const at = (path: string) => `${simulator.graph.baseUrl}/v25.0/${path}`
const picture = Buffer.from('not really a picture')

type Upload = { type?: string; bytes?: Buffer; product?: string; name?: string }

async function upload({ type = 'image/png', bytes = picture, product = 'whatsapp', name = 'a.png' }: Upload = {}) {
  const form = new FormData()
  form.set('messaging_product', product)
  form.set('type', type)
  form.set('file', new File([new Uint8Array(bytes)], name, { type }))
  const answer = await fetch(at(`${numberId}/media`), { method: 'POST', headers: bearer, body: form })
  return { status: answer.status, body: await answer.json() }
}

test('media is uploaded, described, downloaded with the token until its address expires, and deleted', async () => {
  const { id } = (await upload()).body
  const about = (await call(`GET ${id}?phone_number_id=${numberId}`)).body
  expect(about).toEqual({
    messaging_product: 'whatsapp',
    id,
    url: expect.stringContaining('/whatsapp_business/attachments?mid='),
    mime_type: 'image/png',
    sha256: createHash('sha256').update(picture).digest('hex'),
    file_size: picture.length,
  })
  const url = String(about.url)
  const file = await fetch(url, { headers: bearer })
  expect([file.headers.get('content-type'), await file.text()]).toEqual(['image/png', picture.toString()])
  expect((await fetch(url)).status).toBe(401)
  expect((await call(`GET ${id}?phone_number_id=${otherId}`)).body).toMatchObject({ error: { code: 100 } })
  simulator.graph.control.set({ mediaUrlMs: 0 })
  const stale = (await call(`GET ${id}`)).body.url
  expect((await fetch(String(stale), { headers: bearer })).status).toBe(404)
  expect((await call(`DELETE ${id}`)).body).toEqual({ success: true })
  expect((await call(`GET ${id}`)).body).toMatchObject({ error: { code: 100, error_subcode: 33 } })
})

test.each([
  ['another product', { product: 'sms' }, 100],
  ['a bitmap', { type: 'image/bmp' }, 100],
  ['a picture beyond 5 MB', { bytes: Buffer.alloc(5 * 1024 * 1024 + 1) }, 131053],
  ['a sticker beyond 500 KB', { type: 'image/webp', bytes: Buffer.alloc(513 * 1024) }, 131053],
])('%s is rejected', async (_, changes, code) => {
  expect(await upload(changes)).toMatchObject({ status: 400, body: { error: { code } } })
})

test('media belongs to the number it was uploaded for, and must be of its type', async () => {
  const { id } = (await upload()).body
  simulator.graph.control.setWindow('919812345678', { phoneNumberId: numberId })
  const send = (from: string | undefined, type: string) =>
    call(`POST ${from}/messages`, { messaging_product: 'whatsapp', to: '+919812345678', type, [type]: { id } })
  expect((await send(otherId, 'image')).body).toMatchObject({ error: { code: 100 } })
  expect((await send(numberId, 'image')).status).toBe(200)
  expect((await send(numberId, 'video')).status).toBe(200)
  await expect
    .poll(() => simulator.graph.control.listMessages({ since: 0, limit: 9 }).messages.map(({ errorCode }) => errorCode))
    .toEqual([undefined, 131053])
})

test('media sent by a person can be downloaded', async () => {
  const bytes = Buffer.from('hello').toString('base64')
  simulator.graph.control.write('919812345678', {
    phoneNumberId: numberId,
    type: 'document',
    document: { bytes, mime_type: 'text/plain' },
  })
  const id = simulator.handset.find('919812345678')?.messages[0]?.content?.media?.id
  const { url } = (await call(`GET ${id}`)).body
  expect(await (await fetch(String(url), { headers: bearer })).text()).toBe('hello')
})

test('a resumable upload in three steps, interrupted midway, becomes a handle for a template', async () => {
  const session = await call(
    `POST ${demoAccount.appId}/uploads?file_name=a.png&file_length=${picture.length}&file_type=image/png`,
  )
  const id = String(session.body.id)
  expect(id).toMatch(/^upload:/)
  const post = async (offset: number, body: Buffer, headers: Record<string, string> = oauth) => {
    const answer = await fetch(at(id), {
      method: 'POST',
      headers: { ...headers, file_offset: String(offset) },
      body: new Uint8Array(body),
    })
    return answer.json()
  }
  expect(await post(0, picture, bearer)).toMatchObject({ error: { code: 104 } })
  await post(0, picture.subarray(0, 5))
  expect(await (await fetch(at(id), { headers: oauth })).json()).toEqual({ id, file_offset: 5 })
  expect(await post(0, picture)).toMatchObject({ error: { code: 100 } })
  const { h } = (await post(5, picture.subarray(5))) as { h: string }
  expect(h).toMatch(/^4::/)

  const made = await call(`POST ${demoAccount.wabaId}/message_templates`, {
    name: 'with_picture',
    language: 'en',
    category: 'MARKETING',
    components: [
      { type: 'HEADER', format: 'IMAGE', example: { header_handle: [h] } },
      { type: 'BODY', text: 'Look at this.' },
    ],
  })
  expect(made.status).toBe(200)
  const [header] = (await call(`GET ${String(made.body.id)}`)).body.components as [
    { example: { header_handle: [string] } },
  ]
  expect(await (await fetch(header.example.header_handle[0])).text()).toBe(picture.toString())
  await call(`POST ${numberId}/whatsapp_business_profile`, { messaging_product: 'whatsapp', profile_picture_handle: h })
  expect((await call(`GET ${numberId}/whatsapp_business_profile?fields=profile_picture_url`)).body).toMatchObject({
    data: [{ profile_picture_url: expect.stringContaining('/api/graph/files/') }],
  })
})

test.each([['file_length=5&file_type=image/gif'], ['file_length=0&file_type=image/png'], ['file_type=image/png']])(
  'an upload of %s is rejected',
  async (query) => {
    expect((await call(`POST ${demoAccount.appId}/uploads?${query}`)).status).toBe(400)
  },
)

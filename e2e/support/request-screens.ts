import { createClient, type Client } from '@carillon/server/demo/client'
import { demoPassword } from '@carillon/server/demo/cast'
import type { Page } from 'playwright-core'
import type { Shot } from './shot.ts'

const path = '/organization/api-management?t=4'

const magic = (digits: string) => `+9199999000${digits}`
const order = (digits: string) => ({ to: magic(digits), channel: 'sms', text: 'Your order is on its way' })

/** Calls of a new test key of the manager of each kind: sent, failed, a batch with refused messages, refused, a replay. */
export async function addRequests(url: string) {
  const manager = await createClient(url, { username: 'manager', password: demoPassword })
  const { secret } = await manager.call<{ secret: string }>('apiKeys.create', {
    body: { name: 'Order service', environment: 'test', scopes: ['messages:send', 'otp:send'] },
  })
  const post = (place: string, body: object, key?: string) => send(url, secret, { place, body, key })
  await post('messages', { ...order('10'), reference: 'order-1042' }, 'order-1042')
  await post('messages', { ...order('10'), reference: 'order-1042' }, 'order-1042')
  await post('messages', order('03'))
  await post('otp', { to: magic('20'), channel: 'sms', text: 'Your code is {code}' })
  await post('messages/batch', { messages: Array.from({ length: 24 }, (_, index) => batched(index)) })
  await post('messages', { to: magic('11'), texts: 'Hello' })
  await logged(manager, 6)
}

/** Of three messages one fails, and one is refused. */
const batched = (index: number) => [order('12'), order('01'), { to: '12', text: 'Too short' }][index % 3] ?? order('12')

type Call = { place: string; body: object; key?: string | undefined }

export async function send(url: string, secret: string, { place, body, key }: Call): Promise<number> {
  const answer = await fetch(`${url}/api/public/v1/${place}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${secret}`,
      'content-type': 'application/json',
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    body: JSON.stringify(body),
  })
  await answer.text()
  return answer.status
}

/** The log is written shortly after the answers. */
async function logged(client: Client, count: number) {
  const read = () => client.call<{ data: unknown[] }>('support.list', { query: { kind: 'api_send', limit: '100' } })
  while ((await read()).data.length < count) await new Promise((resume) => setTimeout(resume, 100))
}

const openRow = (text: string) => async (page: Page) => {
  await page.getByText(text).filter({ visible: true }).first().click()
  await page.getByRole('dialog').getByLabel('Response body', { exact: true }).waitFor()
}

const shotOf = (name: string, act?: Shot['act']): Shot => ({ name, as: 'manager', path, ...(act ? { act } : {}) })

/** The request log of API Control. */
export const requestShots: readonly Shot[] = [
  shotOf('api-requests'),
  { name: 'api-requests-empty', as: 'manager2', path },
  { name: 'api-requests-none', as: 'manager', path: `${path}&h=3` },
  shotOf('api-request', openRow('POST /messages/batch · 200')),
  shotOf('api-request-rejected', openRow('POST /messages · 400')),
]

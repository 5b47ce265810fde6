import { ApiSendDetails, ApiSendMessage, ApiSendRequest } from '@carillon/contract/request-log-records'
import { expect } from 'vitest'
import type { TestKey } from './api-keys.ts'
import { buildAdmin, buildManager, type Account } from './builders.ts'
import { issueTo, setSmsPrice } from './money.ts'
import type { CallOptions, TestServer } from './server.ts'
import { buildSender } from '../modules/messages/test-lane.ts'

export type LogQuery = NonNullable<CallOptions<'support.list'>['query']>
type Answer = {
  status: number
  requestId: string | null
  data: { id: string; messageId: string; messages: { accepted?: { id: string } }[] }
}

export const message = (more: object = {}) => ({ to: '+919812345678', text: 'Your parcel is on its way', ...more })

export const parsed = (body: ApiSendDetails['requestBody']) => JSON.parse(body?.text ?? 'null') as unknown

/** An organisation that can send SMS. */
export async function buildShop({ database }: TestServer): Promise<Account> {
  const account = await buildManager(database)
  await buildSender(database, account)
  const admin = await buildAdmin(database)
  await setSmsPrice(database, account, 1500)
  await issueTo(database, { admin, account, units: 10_000_000 })
  return account
}

/** Calls of the public API from 203.0.113.7. */
export async function post(
  { url }: Pick<TestServer, 'url'>,
  path: string,
  { as, body, key }: { as: TestKey; body: unknown; key?: string },
): Promise<Answer> {
  const answer = await fetch(`${url}/api/public/v1/${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${as.token}`,
      'content-type': 'application/json',
      'x-forwarded-for': '203.0.113.7',
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  const { data } = (await answer.json()) as { data: Answer['data'] }
  return { status: answer.status, requestId: answer.headers.get('request-id'), data }
}

/** Reads of the request log, as the calls answer them. */
export function readLog(server: TestServer) {
  async function list(as: Account, query: LogQuery = {}): Promise<ApiSendRequest[]> {
    const { data } = await server.ask('support.list', { as, query: { kind: 'api_send', limit: 100, ...query } })
    return data.map((request) => ApiSendRequest.parse(request))
  }
  return {
    list,
    /** Once there are so many requests. */
    async log(as: Account, count: number): Promise<ApiSendRequest[]> {
      await expect.poll(async () => (await list(as)).length).toBe(count)
      return list(as)
    },
    details: async (as: Account, id: string) =>
      ApiSendDetails.parse(await server.ask('support.get', { as, path: { id } })),
    sent: async (as: Account, id: string, query: { page?: number } = {}) =>
      (await server.ask('support.messages', { as, path: { id }, query })).data.map((each) =>
        ApiSendMessage.parse(each),
      ),
    query: async <Row extends object>(text: string, values: unknown[] = []) =>
      (await server.database.ownerPool.query<Row>(text, values)).rows,
  }
}

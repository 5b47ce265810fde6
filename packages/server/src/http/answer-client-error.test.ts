import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testServer, type TestServer } from '../testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer({ flags: ['--run=web'] })
})
afterAll(() => server.close())

const long = 'a'.repeat(3 * 1024 * 1024)

test.each([
  ['an id of 3 MB in the address', `GET /api/sms/campaigns/${long} HTTP/1.1\r\nhost: test\r\n\r\n`, 431, 'too_large'],
  ['a query of 3 MB', `GET /api/v1/campaigns?botId=${long} HTTP/1.1\r\nhost: test\r\n\r\n`, 431, 'too_large'],
  ['a header of 3 MB', `GET /api/v1/campaigns HTTP/1.1\r\nhost: test\r\nx: ${long}\r\n\r\n`, 431, 'too_large'],
  ['no HTTP at all', `\u0000\u0001${long}`, 400, 'bad_request'],
])('%s gets the usual error response, and the connection is closed in order', async (_, sent, status, code) => {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  let answer = ''
  socket.on('data', (data: Buffer) => (answer += data.toString()))
  const closed = once(socket, 'close')
  socket.write(sent)
  expect(await closed).toEqual([false])
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toMatchObject({ success: false, code })
})

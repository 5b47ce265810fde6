import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { buildAdmin } from './testing/builders.ts'
import { testServer } from './testing/server.ts'
import { until } from './testing/until.ts'

test('on stop, running requests are answered, and idle connections do not delay it', async () => {
  const server = await testServer()
  const admin = await buildAdmin(server.database)
  const agent = new Agent({ keepAlive: true })
  const ask = async () => {
    const headers = { authorization: `Bearer ${admin.token}` }
    const [answer] = (await once(get(`${server.url}/api/v1/profile/details`, { agent, headers }), 'response')) as [
      IncomingMessage,
    ]
    answer.resume()
    await once(answer, 'end')
    return answer
  }
  const silent = connect(Number(new URL(server.url).port), '127.0.0.1')
  await once(silent, 'connect')
  await ask()

  const locked = await server.database.ownerPool.connect()
  await locked.query('begin; lock table accounts')
  const slow = ask()
  await until(async () => {
    // Of this database: tests of others wait for locks as well.
    const waiting = await server.database.ownerPool.query(
      `select from pg_locks where not granted and relation = 'accounts'::regclass
        and database = (select oid from pg_database where datname = current_database())`,
    )
    return waiting.rowCount !== 0
  }, 'the call that waits')
  const closed = server.app.close()
  await locked.query('commit')
  locked.release()

  expect(await slow).toMatchObject({ statusCode: 200 })
  await closed
  await server.drop()
})

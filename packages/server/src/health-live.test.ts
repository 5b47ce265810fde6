import { expect, test } from 'vitest'
import { testServer } from './testing/server.ts'

test('/health/live returns 503 with the reason once the process cannot recover, on both of its ports', async () => {
  const server = await testServer({ environment: { METRICS_PORT: '0' } })
  const { app } = server
  const monitoring = await app.monitoring?.listen({ port: 0, host: '127.0.0.1' })
  const see = async (url: string | undefined, path: string) => {
    const response = await fetch(`${url}${path}`)
    return { status: response.status, body: await response.json() }
  }
  try {
    for (const url of [server.url, monitoring]) {
      expect(await see(url, '/health/live')).toEqual({ status: 200, body: { status: 'live' } })
      expect(await see(url, '/health/ready')).toMatchObject({ status: 200 })
    }
    app.fail('The embedded database ended')
    for (const url of [server.url, monitoring]) {
      expect(await see(url, '/health/live')).toEqual({
        status: 503,
        body: { status: 'not live', reason: 'The embedded database ended' },
      })
      expect(await see(url, '/health/ready')).toEqual({
        status: 503,
        body: { status: 'not ready', reason: 'stopping' },
      })
    }
  } finally {
    await server.close()
  }
})

test('a process that is stopping in order is live and not ready', async () => {
  const server = await testServer()
  try {
    server.app.drain()
    expect((await fetch(`${server.url}/health/live`)).status).toBe(200)
    expect((await fetch(`${server.url}/health/ready`)).status).toBe(503)
  } finally {
    await server.close()
  }
})

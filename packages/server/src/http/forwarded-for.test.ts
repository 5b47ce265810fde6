import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ConfigError, readConfig } from '../config.ts'
import { asSystem } from '../db/pool.ts'
import { buildManager, buildReseller, type Account } from '../testing/builders.ts'
import { testServer, type TestServer } from '../testing/server.ts'

describe('forwarded-for: the setting', () => {
  test.each([
    [undefined, false],
    ['off', false],
    ['0', false],
    ['1', 1],
    ['2', 2],
    ['10.0.0.0/8', ['10.0.0.0/8']],
    ['10.0.0.1, 2001:db8::/32', ['10.0.0.1', '2001:db8::/32']],
  ])('%s', (text, read) => {
    expect(readConfig(text === undefined ? {} : { TRUST_PROXY: text }, []).TRUST_PROXY).toEqual(read)
  })

  test.each(['on', 'true', 'yes', '11', '-1', '10.0.0.0/0', '10.0.0.0/33', '10.0.0.0/8/8', 'proxy.example', ','])(
    '%s is rejected with the accepted formats',
    (text) => {
      expect(() => readConfig({ TRUST_PROXY: text }, [])).toThrow(ConfigError)
      expect(() => readConfig({ TRUST_PROXY: text }, [])).toThrow(/TRUST_PROXY is wrong: write how many .+ such as 1/)
    },
  )
})

/** The client address the server uses for limits and sessions. */
describe.each([
  ['no proxy', 'off', false],
  ['one proxy', '1', true],
  ['the address of the proxy', '127.0.0.0/8', true],
  ['the address of another proxy', '203.0.113.0/24', false],
])('forwarded-for: with %s', (_, setting, isTrusted) => {
  const seen = isTrusted ? '198.51.100.9' : '127.0.0.1'

  let server: TestServer
  let manager: Account
  beforeAll(async () => {
    server = await testServer({
      environment: { TRUST_PROXY: setting, REQUESTS_PER_SECOND: '2' },
      flags: ['--run=web'],
    })
    manager = await buildManager(server.database)
  })
  afterAll(() => server.close())

  test('the address written by the nearest proxy counts, whatever the client sent', async () => {
    await server.call('auth.login', {
      body: { username: 'nobody', password: 'not the password' },
      headers: { 'x-forwarded-for': '203.0.113.66, 198.51.100.9' },
    })
    const keys = await asSystem(server.database, (db) => db.selectFrom('login_attempts').select('key').execute())
    expect(keys.map(({ key }) => key)).toContain(`address:${seen}`)
    expect(JSON.stringify(keys)).not.toContain('203.0.113.66')
  })

  test('the host written by the nearest proxy selects the brand', async () => {
    const reseller = await buildReseller(server.database)
    const brand = { name: 'Deccan', color: '#0f766e', colorDark: '#5eead4', hosts: ['shop.example'] }
    expect(await server.call('brand.set', { as: reseller, body: brand, headers: client(1) })).toMatchObject({
      status: 200,
    })
    const nameAt = async (hosts: string) => {
      return (await server.ask('brand.ofHost', { headers: { ...client(2), 'x-forwarded-host': hosts } })).name
    }
    expect(await nameAt('other.example, shop.example')).toBe(isTrusted ? 'Deccan' : 'Carillon')
    expect(await nameAt('shop.example, other.example')).toBe('Carillon')
  })

  test('a client cannot bypass the rate limit with forged addresses', async () => {
    const statuses = new Set<number>()
    for (let call = 0; call < 30; call += 1) {
      const headers = { 'x-forwarded-for': `203.0.113.${call}, 198.51.100.10` }
      statuses.add((await server.call('profile.details', { as: manager, headers })).status)
    }
    expect(statuses).toContain(429)
  })
})

/** Requests of the tests above do not count towards each other's limit behind a trusted proxy. */
const client = (number: number) => ({ 'x-forwarded-for': `192.0.2.${number}` })

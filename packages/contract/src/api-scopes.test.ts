import { expect, test } from 'vitest'
import { ApiScope } from './api-scopes.ts'
import { endpoints, type Endpoint } from './index.ts'

const calls = Object.entries<Endpoint>(endpoints)
const namesOf = (wanted: (endpoint: Endpoint) => boolean) =>
  calls.filter(([, endpoint]) => wanted(endpoint)).map(([name]) => name)

test.each(ApiScope.options)('%s allows at least one call', (scope) => {
  expect(namesOf((endpoint) => endpoint.scope === scope)).not.toEqual([])
})

test('a scope that ends in :read allows only reads', () => {
  expect(namesOf(({ scope, route }) => scope?.endsWith(':read') === true && !route.startsWith('GET '))).toEqual([])
})

test('calls that an impersonating session may not make, that answer a secret, or that need no role have no scope', () => {
  const isForPeople = ({ roles, impersonation, answersSecret }: Endpoint) =>
    typeof roles === 'string' || impersonation === false || answersSecret === true
  // The secret of a listener signs only what this key fetches itself.
  expect(namesOf((endpoint) => endpoint.scope !== undefined && isForPeople(endpoint))).toEqual(['events.listen'])
})

test('no call about accounts, money movements, permissions or keys has a scope', () => {
  const closed =
    /^(?:auth|users|invitations|permissions|limits|signUp|sessions|totp|profile|audit|apiKeys|keyConfigs|topUps|rateCards|invoices|billingDetails|brand|support|sending|mail)\./
  expect(calls.filter(([name, { scope }]) => scope && closed.test(name)).map(([name]) => name)).toEqual([])
})

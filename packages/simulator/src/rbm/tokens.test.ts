import { generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildAssertion, callWith, hello, type Partner, postAssertion, startPartner, takeToken } from './testing.ts'
import { messagingScope } from './tokens.ts'

let partner: Partner
beforeAll(async () => {
  partner = await startPartner()
})
afterAll(() => partner.close())

const now = () => Math.floor(Date.now() / 1000)
const exchange = (assertion: string) => postAssertion(partner.serviceAccount.token_uri, assertion)

test('a signed assertion is exchanged for a token', async () => {
  expect(await exchange(buildAssertion(partner.serviceAccount))).toEqual({
    status: 200,
    body: { access_token: expect.stringMatching(/^ya29\./), expires_in: 3599, token_type: 'Bearer' },
  })
  const official = buildAssertion(partner.serviceAccount, { aud: 'https://oauth2.googleapis.com/token' })
  expect((await exchange(official)).status).toBe(200)
})

test.each([
  ['another issuer', { iss: 'somebody@else.example' }, 'invalid_grant'],
  ['another audience', { aud: 'https://example.com/token' }, 'invalid_grant'],
  ['an expired assertion', { iat: now() - 7200, exp: now() - 3600 }, 'invalid_grant'],
  ['an assertion of a day', { exp: now() + 86_400 }, 'invalid_grant'],
  ['an assertion of the future', { iat: now() + 600, exp: now() + 700 }, 'invalid_grant'],
  ['no scope', { scope: '' }, 'invalid_scope'],
  ['an unknown scope', { scope: 'https://www.googleapis.com/auth/drive' }, 'invalid_scope'],
])('%s is refused', async (_name, claims, error) => {
  expect(await exchange(buildAssertion(partner.serviceAccount, claims))).toMatchObject({ status: 400, body: { error } })
})

test('a foreign key and a changed assertion are refused', async () => {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  const foreign = buildAssertion({ ...partner.serviceAccount, private_key: privateKey })
  const [head, , signature] = buildAssertion(partner.serviceAccount).split('.')
  const [, payload] = buildAssertion(partner.serviceAccount, { scope: messagingScope }).split('.')
  for (const assertion of [foreign, `${head}.${payload}.${signature}`, 'nonsense', ''])
    expect(await exchange(assertion)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
})

test('calls need a token of their scope that is neither expired nor revoked', async () => {
  const path = `POST asia/v1/phones/+919812345678/agentMessages?messageId=${crypto.randomUUID()}&agentId=${partner.agentId}`
  const call = (token: string, where = path) =>
    callWith(partner.simulator, { token, path: where, body: where === path ? hello : undefined })
  expect(await call('nobody')).toMatchObject({ status: 401, body: { error: { status: 'UNAUTHENTICATED' } } })
  const narrow = await exchange(buildAssertion(partner.serviceAccount, { scope: messagingScope }))
  expect((await call(String(narrow.body.access_token), 'GET management/v1/brands')).status).toBe(403)
  partner.control.set({ tokenMs: 0 })
  expect((await call(await takeToken(partner.serviceAccount))).status).toBe(401)
  partner.control.set({ tokenMs: 3_599_000 })
  const token = await takeToken(partner.serviceAccount)
  partner.control.revokeTokens()
  expect((await call(token)).status).toBe(401)
})

import { landingPath, Role } from '@carillon/contract/roles'
import { expect, test } from 'vitest'
import { areaPrefix } from './areas.ts'
import { guardTexts, judgeVisit, placeAfterSignIn, sessionHasEnded } from './guard.ts'

const later = Date.now() / 1000 + 3600
const manager = { type: 'manager', expiresAt: later } as const

test('the areas are the landing paths of the contract', () => {
  expect(areaPrefix).toEqual(landingPath)
})

test.each([
  [
    'an unsafe address, even of a stranger',
    '/register?x=<script>',
    null,
    { kind: 'login', alert: guardTexts.suspicious },
  ],
  ['an unsafe address of a member', "/organization?q='", manager, { kind: 'login', alert: guardTexts.suspicious }],
  [
    'a stranger in an area',
    '/organization/campaigns?p=2',
    null,
    { kind: 'login', remember: '/organization/campaigns?p=2' },
  ],
  ['a stranger on a public page', '/forget-password', null, { kind: 'open' }],
  ['a stranger on a page that does not exist', '/no-such-page', null, { kind: 'open' }],
  ['a member in the own area', '/organization/campaigns', manager, { kind: 'open' }],
  [
    'a member in another area',
    '/admin/users',
    manager,
    { kind: 'home', to: '/organization', alert: guardTexts.unauthorized },
  ],
  ['a member at the login', '/', manager, { kind: 'home', to: '/organization' }],
  ['an area whose name only begins alike', '/administration', null, { kind: 'open' }],
] as const)('%s', (_, address, user, verdict) => {
  expect(judgeVisit({ address, user })).toEqual(verdict)
})

test('the login page stays while it shows why one was sent there', () => {
  expect(judgeVisit({ address: '/', user: manager, alertShown: true })).toEqual({ kind: 'open' })
})

test.each(Role.options.map((type) => [type, areaPrefix[type]] as const))('%s lands on %s', (type, home) => {
  expect(placeAfterSignIn({ type, expiresAt: later }, undefined)).toBe(home)
})

test('the remembered place is taken up only by a role that may see it', () => {
  const place = '/organization/campaigns?p=2'
  expect(placeAfterSignIn(manager, place)).toBe(place)
  expect(placeAfterSignIn({ type: 'user', expiresAt: later }, place)).toBe('/user')
})

const inside = { pathIsPublic: false, justLoggedOut: false, announced: false, now: 2_000_000 }

test.each([
  ['a session whose time is over', { ...inside, user: { expiresAt: 2000 } }, true],
  ['a session that still has a second', { ...inside, user: { expiresAt: 2001 } }, false],
  ['a session the server does not know', { ...inside, user: { expiresAt: 3000 }, announced: true }, true],
  ['no session off the login page', { ...inside, user: null }, true],
  ['no session just after logging out', { ...inside, user: null, justLoggedOut: true }, false],
  ['no session on a public page', { ...inside, user: null, pathIsPublic: true }, false],
  ['an old session on a public page', { ...inside, user: { expiresAt: 1 }, pathIsPublic: true }, false],
])('the expiry modal for %s', (_, given, shown) => {
  expect(sessionHasEnded(given)).toBe(shown)
})

import { expect, test } from 'vitest'
import { findCycles } from './cycles.ts'
import { importRules } from './import-rules.ts'

const complaints = (from: string, to: string) => importRules.flatMap((rule) => rule(from, to) ?? [])
const server = 'packages/server/src'
const web = 'packages/web/src'

test.each([
  [`${server}/db/pool.ts`, `${server}/http/mount.ts`],
  [`${server}/lib/ids.ts`, `${server}/config.ts`],
  [`${server}/modules/balance/holds.ts`, `${server}/app.ts`],
  [`${server}/modules/balance/holds.ts`, `${server}/wiring/links.ts`],
  [`${server}/modules/balance/holds.ts`, `${server}/modules/campaigns/index.ts`],
  [`${server}/modules/campaigns/start.ts`, `${server}/modules/balance/holds.ts`],
  [`${server}/app.ts`, `${server}/modules/balance/holds.ts`],
  [`${server}/channels/sms/smpp/session.ts`, `${server}/db/pool.ts`],
  [`${server}/channels/sms/smpp/session.ts`, `${server}/channels/sms/http-gateway/provider.ts`],
  [`${server}/modules/messages/lane.ts`, `${server}/channels/sms/smpp/session.ts`],
  [`${server}/http/mount.ts`, `${server}/testing/server.ts`],
  [`${server}/http/mount.ts`, `${web}/lib/call.ts`],
  ['packages/contract/src/auth.ts', `${server}/lib/ids.ts`],
  ['packages/simulator/src/main.ts', 'packages/contract/src/auth.ts'],
  [`${web}/features/campaigns/list.tsx`, `${web}/features/chats/page.tsx`],
  [`${web}/ui/button.tsx`, `${web}/features/chats/page.tsx`],
  [`${web}/lib/call.ts`, `${web}/ui/button.tsx`],
])('%s may not import %s', (from, to) => {
  expect(complaints(from, to)).toHaveLength(1)
})

test.each([
  [`${server}/http/mount.ts`, `${server}/db/pool.ts`],
  [`${server}/modules/campaigns/start.ts`, `${server}/modules/balance/index.ts`],
  [`${server}/app.ts`, `${server}/wiring/calls.ts`],
  [`${server}/wiring/calls.ts`, `${server}/modules/balance/index.ts`],
  [`${server}/modules/messages/lane.ts`, `${server}/channels/index.ts`],
  [`${server}/modules/balance/balance.test.ts`, `${server}/testing/server.ts`],
  [`${server}/http/mount.ts`, 'packages/contract/src/index.ts'],
  [`${web}/features/campaigns/list.tsx`, `${web}/ui/button.tsx`],
])('%s may import %s', (from, to) => {
  expect(complaints(from, to)).toEqual([])
})

test('finds every ring of imports and nothing else', () => {
  const graph = new Map([
    ['a', ['b']],
    ['b', ['c', 'd']],
    ['c', ['a']],
    ['d', ['e']],
    ['e', []],
  ])
  expect(findCycles(graph).map((ring) => ring.toSorted())).toEqual([['a', 'b', 'c']])
})

import { routes } from '@carillon/contract/routes.gen'
import type { ApiEnvironment } from '@carillon/contract/api-key-records'

export type CallExample = {
  title: string
  text: string
  /** The call's name in the contract. */
  call: string
  body?: Record<string, string>
  environments: readonly ApiEnvironment[]
}

const all: readonly CallExample[] = [
  {
    title: 'Make the first call',
    text: 'Reads your balance, and changes nothing. The key needs the scope balance:read.',
    call: 'balance.get',
    environments: ['test', 'live'],
  },
  {
    title: 'Send a message',
    text: 'Replace number and text. The key needs the scope messages:send. Repeated with the same Idempotency-Key, the call sends nothing twice.',
    call: 'publicMessages.send',
    body: { to: '+919999900008', text: 'Your order has been shipped' },
    environments: ['live'],
  },
]

type Route = { method: string; path: string }

const routeByName = new Map<string, Route>(Object.entries(routes))

export type Example = CallExample & Route

/** The examples of calls that this release has. */
export const examples: readonly Example[] = all.flatMap((example) => {
  const route = routeByName.get(example.call)
  return route ? [{ ...example, method: route.method, path: route.path }] : []
})

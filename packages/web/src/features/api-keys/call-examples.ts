import { routes } from '@carillon/contract/routes.gen'

type Route = { method: string; path: string }

export type Example = Route & {
  title: string
  text: string
  body?: Record<string, string>
}

/** Reads something that every account has. */
export const firstCall: Example = {
  ...routeOf('balance.get'),
  title: 'Make the first call',
  text: 'Reads your balance, and changes nothing. The key needs the scope balance:read.',
}

/** A number of the sandbox, whose messages are delivered and read. */
const deliveredNumber = '+919999900008'

/** Sends a text; `sender` names who sends it, or the channel that decides. */
export function sendCall(sender: { from: string } | { channel: string }): Example {
  return {
    ...routeOf('publicMessages.send'),
    title: 'Send a message',
    text: 'The key needs the scope messages:send. With the same Idempotency-Key and body, a repeat sends nothing and returns the first response.',
    body: { to: deliveredNumber, ...sender, text: 'Your order has been shipped' },
  }
}

function routeOf(name: 'balance.get' | 'publicMessages.send'): Route {
  const { method, path } = routes[name]
  return { method, path }
}

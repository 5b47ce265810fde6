import type { ProviderEvent } from '../../../channels/provider.ts'

type Kinds<Kind extends ProviderEvent['kind']> = Extract<ProviderEvent, { kind: Kind }>
/** Events about messages and people, and so about one sender. */
type LineEvent = Kinds<'delivery-report' | 'inbound-message' | 'preference-change' | 'notice'>
/** Events about the account as a whole. */
export type AccountEvent = Kinds<'template-change' | 'account-change'>

export type RoutedEvents = {
  byLine: { senderId: string; events: LineEvent[] }[]
  ofAccount: AccountEvent[]
  /** Events about lines of other accounts. */
  unroutable: number
}

/** Assigns an account's events to its senders. Events with a line that the account does not have are dropped. */
export function routeEvents(
  events: readonly ProviderEvent[],
  lines: readonly { senderId: string; lineId: string | undefined }[],
): RoutedEvents {
  const known = new Map(lines.map(({ senderId, lineId }) => [lineId, senderId]))
  const byLine = new Map<string, LineEvent[]>()
  const routed: RoutedEvents = { byLine: [], ofAccount: [], unroutable: 0 }
  for (const event of events) {
    if (event.kind === 'template-change' || event.kind === 'account-change') {
      routed.ofAccount.push(event)
      continue
    }
    // An event without a line concerns the account's only one; a preference concerns all of them.
    const isAnyones = event.lineId === undefined && (lines.length === 1 || event.kind === 'preference-change')
    const senderId = isAnyones ? lines[0]?.senderId : known.get(event.lineId ?? '')
    if (senderId === undefined) routed.unroutable += 1
    else if (byLine.get(senderId)?.push(event) === undefined) byLine.set(senderId, [event])
  }
  routed.byLine = [...byLine].map(([senderId, ofLine]) => ({ senderId, events: ofLine }))
  return routed
}

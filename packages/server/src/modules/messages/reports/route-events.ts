import type { ProviderEvent } from '../../../channels/provider.ts'

type Kinds<Kind extends ProviderEvent['kind']> = Extract<ProviderEvent, { kind: Kind }>
/** What is about messages and people, and so about one sender. */
type LineEvent = Kinds<'delivery-report' | 'inbound-message' | 'preference-change'>
/** What is about the account as a whole. */
export type AccountEvent = Kinds<'template-change' | 'account-change'>

export type RoutedEvents = {
  byLine: { senderId: string; events: LineEvent[] }[]
  ofAccount: AccountEvent[]
  /** About lines that are not this account's. */
  strange: number
}

/** Who of an account each of its events is about. What names a line that the account does not have is nobody's business. */
export function routeEvents(
  events: readonly ProviderEvent[],
  lines: readonly { senderId: string; lineId: string | undefined }[],
): RoutedEvents {
  const known = new Map(lines.map(({ senderId, lineId }) => [lineId, senderId]))
  const byLine = new Map<string, LineEvent[]>()
  const routed: RoutedEvents = { byLine: [], ofAccount: [], strange: 0 }
  for (const event of events) {
    if (event.kind === 'template-change' || event.kind === 'account-change') {
      routed.ofAccount.push(event)
      continue
    }
    // Without a line it is the account's only one; a preference holds for all of them alike.
    const isAnyones = event.lineId === undefined && (lines.length === 1 || event.kind === 'preference-change')
    const senderId = isAnyones ? lines[0]?.senderId : known.get(event.lineId ?? '')
    if (senderId === undefined) routed.strange += 1
    else if (byLine.get(senderId)?.push(event) === undefined) byLine.set(senderId, [event])
  }
  routed.byLine = [...byLine].map(([senderId, ofLine]) => ({ senderId, events: ofLine }))
  return routed
}

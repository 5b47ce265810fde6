import type { ProviderEvent } from '../../../channels/provider.ts'

type Kinds<Kind extends ProviderEvent['kind']> = Extract<ProviderEvent, { kind: Kind }>
/** Events about messages and people, and so about one sender. */
type LineEvent = Kinds<'delivery-report' | 'inbound-message' | 'preference-change' | 'notice'>
/** Events about the account as a whole. */
export type AccountEvent = Kinds<'template-change' | 'account-change'>

export type RoutedEvents<Line> = {
  byLine: { line: Line; events: LineEvent[] }[]
  ofAccount: AccountEvent[]
  /** Events about lines of other accounts. */
  unroutable: number
}

/** Assigns an account's events to its senders. Events with a line that the account does not have are dropped. */
export function routeEvents<Line extends { senderId: string; lineId: string | undefined }>(
  events: readonly ProviderEvent[],
  lines: readonly Line[],
): RoutedEvents<Line> {
  const known = new Map(lines.map((line) => [line.lineId, line]))
  const byLine = new Map<Line, LineEvent[]>()
  const ofAccount: AccountEvent[] = []
  let unroutable = 0
  for (const event of events) {
    if (event.kind === 'template-change' || event.kind === 'account-change') {
      ofAccount.push(event)
      continue
    }
    // An event without a line concerns the account's only one; a preference concerns all of them.
    const isAnyones = event.lineId === undefined && (lines.length === 1 || event.kind === 'preference-change')
    const line = isAnyones ? lines[0] : known.get(event.lineId ?? '')
    if (line === undefined) unroutable += 1
    else if (byLine.get(line)?.push(event) === undefined) byLine.set(line, [event])
  }
  return { byLine: [...byLine].map(([line, ofLine]) => ({ line, events: ofLine })), ofAccount, unroutable }
}

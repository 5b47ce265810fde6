import { defaultChannels } from '@carillon/contract/channels/table'
import { mayCall } from '../../lib/call.ts'
import { useApi } from '../../lib/use-api.ts'
import { useIncluded } from '../../lib/use-included.ts'

/** Senders of the channel on which a text can be sent to everyone; undefined until known or if the account cannot read them. */
export function useQuickstartSenders(): readonly string[] | undefined {
  const isIncluded = useIncluded('chat')
  const mayRead = mayCall('conversations.lines')
  const lines = useApi('conversations.lines', {}, { enabled: isIncluded === true })
  if (!mayRead || !lines.data) return undefined
  const { lines: all } = lines.data
  const names = all
    .filter(({ channel }) => channel === defaultChannels.quickstart)
    .flatMap(({ name, addresses }) => addresses[0] ?? name)
  return [...new Set(names)]
}

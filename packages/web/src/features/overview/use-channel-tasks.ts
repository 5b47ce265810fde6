import { Clock } from 'lucide-react'
import { channelList } from '../../channels/index.ts'
import { useApiReads } from '../../lib/use-api-reads.ts'

const reads = channelList.flatMap(({ accounts }) => accounts?.tasks ?? [])

/** What is to be done for accounts of the channels; a read that fails shows nothing here, but on its own screen. */
export function useChannelTasks() {
  const results = useApiReads(reads, { refetchInterval: 60_000 })
  return results.flatMap(({ data = [] }) =>
    data.map(({ title, to, search }) => ({
      icon: Clock,
      tone: 'text-info-text',
      title,
      about: [],
      action: { label: 'Open', to, search },
    })),
  )
}

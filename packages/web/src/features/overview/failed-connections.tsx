import { Unplug } from 'lucide-react'
import { mayCall, type CallData } from '../../lib/call.ts'
import { countOf } from '../../lib/format.ts'
import { useApi } from '../../lib/use-api.ts'
import { Card } from '../../ui/card.tsx'
import { channelLabel } from '../../channels/channel-mark.tsx'
import { channelScreens } from '../../channels/screens.ts'
import { Failure } from '../../ui/failure.tsx'
import { Needs, type Need } from './attention-card.tsx'

const mostShown = 5

/** Connections that cannot send. Shown only if there are any, or if loading failed. */
export function FailedConnections() {
  const isAllowed = mayCall('channels.failedConnections')
  const read = useApi('channels.failedConnections', {}, { refetchInterval: 60_000, enabled: isAllowed })
  if (!isAllowed || read.isPending || read.data?.length === 0) return null
  return (
    <Card title="Needs attention">
      {read.error ? (
        <Failure
          error={read.error}
          onRetry={() => void read.refetch()}
          {...(read.data ? { staleSince: read.dataUpdatedAt } : {})}
        />
      ) : null}
      {read.data ? <Needs needs={[needOf(read.data)]} /> : null}
      {read.data ? (
        <p className="border-t border-line px-4 py-2.5 text-dense text-muted-foreground">
          The provider rejects the credentials. Messages are held until they are fixed.
        </p>
      ) : null}
    </Card>
  )
}

function needOf(failed: CallData<'channels.failedConnections'>): Need {
  return {
    icon: Unplug,
    tone: 'text-danger-text',
    title: `${countOf(failed.length, 'connection')} can’t send`,
    about: failed.slice(0, mostShown).map(({ _id, name, channel }) => ({
      id: _id,
      name,
      detail: channelLabel(channel),
      to: channelScreens[channel].accounts?.path ?? 'channels',
      search: {},
    })),
    action: { label: 'Review', to: 'channels', search: {} },
  }
}

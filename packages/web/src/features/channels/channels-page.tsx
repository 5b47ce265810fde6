import type { Channel } from '@carillon/contract/channels'
import { channelTraits } from '@carillon/contract/channels/table'
import { defaultChannels } from '@carillon/contract/constants'
import { useState } from 'react'
import type { WebChannel } from '../../channels/channel.ts'
import { ChannelMark, channelLabel } from '../../channels/channel-mark.tsx'
import { channelList } from '../../channels/index.ts'
import { channelScreens } from '../../channels/screens.ts'
import { mayCall } from '../../lib/call.ts'
import { channelOff } from '../../lib/campaign-effects.ts'
import { useApi, useApiWrite } from '../../lib/use-api.ts'
import { useSwitchOff } from '../../lib/use-switch-off.ts'
import { AreaLink } from '../../ui/area-link.tsx'
import { Button } from '../../ui/button.tsx'
import { SwitchOffDialog } from '../../ui/campaigns-affected.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Page } from '../../ui/page.tsx'
import { Loading, SkeletonLines } from '../../ui/skeleton.tsx'
import { Switch } from '../../ui/switch.tsx'
import { toast, useFailureToast } from '../../ui/toast.tsx'
import { HealthStrip } from './health-strip.tsx'

/** Usable channels come first. */
const shown = channelList.toSorted((a, b) => rank(a) - rank(b))

function rank({ channel }: WebChannel): number {
  return channelTraits[channel].isSupported ? 0 : 1
}

/** Channels with connection status and switches. */
export function ChannelsPage() {
  const flags = useApi('channels.get', {})
  useFailureToast('channels', flags.isError ? 'Failed to fetch channels' : undefined)
  const update = useApiWrite('channels.update', {
    refreshes: ['channels.get'],
    onError: (error) => toast.error(error.message),
  })
  const guard = useSwitchOff()
  const [leaving, setLeaving] = useState<Channel>(defaultChannels.campaigns)
  function change(channel: Channel, isOn: boolean) {
    const write = () => update.mutate({ body: { [channel]: isOn } })
    if (isOn) return write()
    setLeaving(channel)
    guard.switchOff({ need: 'channel', channel }, write)
  }
  return (
    <Page title="Channels">
      {flags.isPending ? (
        <Loading label="Loading channels">
          <SkeletonLines count={5} />
        </Loading>
      ) : null}
      {flags.isError ? (
        <Failure error={flags.error} onRetry={() => void flags.refetch()} staleSince={flags.dataUpdatedAt} />
      ) : null}
      {flags.data ? (
        <Loaded at={flags.dataUpdatedAt} isStale={flags.isError}>
          <ul className="border-t border-border">
            {shown.map((entry) => (
              <ChannelRow
                key={entry.channel}
                entry={entry}
                isOn={flags.data[entry.channel]}
                isLocked={!mayCall('channels.update') || update.isPending || guard.isChecking}
                onChange={(isOn) => change(entry.channel, isOn)}
              />
            ))}
          </ul>
        </Loaded>
      ) : null}
      <SwitchOffDialog
        guard={guard}
        title={`Switch off ${channelLabel(leaving)}?`}
        action="Switch off channel"
        effects={channelOff}
      />
    </Page>
  )
}

type ChannelRowProps = { entry: WebChannel; isOn: boolean; isLocked: boolean; onChange: (isOn: boolean) => void }

function ChannelRow({ entry, isOn, isLocked, onChange }: ChannelRowProps) {
  const { channel, accounts } = entry
  const screen = channelScreens[channel].accounts
  return (
    <li className="screen-x flex min-h-16 flex-wrap items-center gap-x-4 gap-y-2 border-b border-line py-3">
      <span className="w-40 font-medium max-md:flex-1">
        <ChannelMark channel={channel} large />
      </span>
      <div className="min-w-48 flex-1 text-dense text-muted-foreground max-md:order-1 max-md:basis-full">
        {accounts ? <accounts.State /> : 'Not connected'}
      </div>
      <HealthStrip channel={channel} />
      <Switch
        label={`${channelLabel(channel)} is switched on`}
        checked={isOn}
        disabled={isLocked}
        onCheckedChange={onChange}
      />
      {screen && canManage(entry) ? (
        <Button size="sm" asChild>
          <AreaLink to={screen.path} aria-label={`Manage ${channelLabel(channel)}`}>
            Manage
          </AreaLink>
        </Button>
      ) : null}
    </li>
  )
}

/** A channel with a screen that the user may open. */
function canManage({ accounts }: WebChannel): boolean {
  return accounts !== undefined && (accounts.call === undefined || mayCall(accounts.call))
}

import type { Channel } from '@carillon/contract/channels'
import { useState } from 'react'
import { limitLabel, numberQualityLabels } from '../../channels/whatsapp/number-labels.ts'
import { mayCall } from '../../lib/call.ts'
import { countOf } from '../../lib/format.ts'
import { channelOff } from '../../lib/campaign-effects.ts'
import { useApi, useApiWrite } from '../../lib/use-api.ts'
import { useSwitchOff } from '../../lib/use-switch-off.ts'
import { AreaLink } from '../../ui/area-link.tsx'
import { Button } from '../../ui/button.tsx'
import { SwitchOffDialog } from '../../ui/campaigns-affected.tsx'
import { ChannelMark, channelLabel } from '../../channels/channel-mark.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Page } from '../../ui/page.tsx'
import { Pill } from '../../ui/pill.tsx'
import { Loading, SkeletonLines } from '../../ui/skeleton.tsx'
import { Switch } from '../../ui/switch.tsx'
import { toast, useFailureToast } from '../../ui/toast.tsx'
import { HealthStrip } from './health-strip.tsx'
import { laneLabelOf } from '../../channels/sms/accounts/lane-labels.ts'

const channels: readonly Channel[] = ['sms', 'whatsapp', 'rcs', 'voice', 'email']

/** Channels with connection status and switches. */
export function ChannelsPage() {
  const flags = useApi('channels.get', {})
  useFailureToast('channels', flags.isError ? 'Failed to fetch channels' : undefined)
  const update = useApiWrite('channels.update', {
    refreshes: ['channels.get'],
    onError: (error) => toast.error(error.message),
  })
  const guard = useSwitchOff()
  const [leaving, setLeaving] = useState<Channel>('sms')
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
            {channels.map((channel) => (
              <li
                key={channel}
                className="screen-x flex min-h-16 flex-wrap items-center gap-x-4 gap-y-2 border-b border-line py-3"
              >
                <span className="w-40 font-medium max-md:flex-1">
                  <ChannelMark channel={channel} large />
                </span>
                <div className="min-w-48 flex-1 text-dense text-muted-foreground max-md:order-1 max-md:basis-full">
                  <ChannelState channel={channel} />
                </div>
                <HealthStrip channel={channel} />
                <Switch
                  label={`${channelLabel(channel)} is switched on`}
                  checked={flags.data[channel]}
                  disabled={!mayCall('channels.update') || update.isPending || guard.isChecking}
                  onCheckedChange={(isOn) => change(channel, isOn)}
                />
                {canManage(channel) ? (
                  <Button size="sm" asChild>
                    <AreaLink to={`channels/${channel}`} aria-label={`Manage ${channelLabel(channel)}`}>
                      Manage
                    </AreaLink>
                  </Button>
                ) : null}
              </li>
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

/** A channel with a screen of its own that the caller may open. */
function canManage(channel: Channel): boolean {
  return channel === 'sms' ? mayCall('smsAccounts.list') : channel === 'whatsapp'
}

function ChannelState({ channel }: { channel: Channel }) {
  if (channel === 'sms') return <SmsState />
  return channel === 'whatsapp' ? <WhatsappState /> : <>Not connected</>
}

/** The numbers of all connections, and the one that needs attention first. */
function WhatsappState() {
  const connections = useApi('wabas.list', {})
  if (!connections.data) return null
  const numbers = connections.data.flatMap((connection) => connection.numbers).filter(({ isActive }) => isActive)
  const [first] = [...numbers].sort((a, b) => worstFirst.indexOf(a.quality) - worstFirst.indexOf(b.quality))
  if (connections.data.length === 0) return <>Not connected</>
  const isReady = connections.data.some((connection) => connection.isReady)
  return (
    <span className="flex flex-wrap items-center gap-2">
      <Pill tone={isReady ? 'good' : 'care'}>{isReady ? 'Connected' : 'Not finished'}</Pill>
      {countOf(numbers.length, 'number')}
      {first
        ? ` · quality ${numberQualityLabels[first.quality].label.toLowerCase()} · ${limitLabel(first.messagingLimit)}`
        : ''}
    </span>
  )
}

const worstFirst = ['red', 'yellow', 'unknown', 'green']

function SmsState() {
  const accounts = useApi('smsAccounts.list', {}, { enabled: mayCall('smsAccounts.list') })
  if (!mayCall('smsAccounts.list')) return <>Managed by your account manager</>
  const active = accounts.data?.filter((account) => account.isActive) ?? []
  const worst = active.find((account) => account.state.status !== 'connected') ?? active[0]
  if (!accounts.data) return null
  if (!worst) return <>No active account</>
  const words = laneLabelOf(worst.state)
  return (
    <span className="flex items-center gap-2">
      <Pill tone={words.tone}>{words.label}</Pill>
      {countOf(active.length, 'active account')} ·{' '}
      {countOf(new Set(active.flatMap((account) => account.headers)).size, 'header')}
    </span>
  )
}

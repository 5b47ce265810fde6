import type { Channel } from '@carillon/contract/channels'
import { mayCall } from '../../lib/call.ts'
import { countOf } from '../../lib/format.ts'
import { useApi, useApiWrite } from '../../lib/use-api.ts'
import { AreaLink } from '../../ui/area-link.tsx'
import { Button } from '../../ui/button.tsx'
import { ChannelMark, channelLabel } from '../../ui/channel-mark.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Page } from '../../ui/page.tsx'
import { Pill } from '../../ui/pill.tsx'
import { Loading, SkeletonLines } from '../../ui/skeleton.tsx'
import { Switch } from '../../ui/switch.tsx'
import { toast } from '../../ui/toast.tsx'
import { laneWords } from './lane-words.ts'

const channels: readonly Channel[] = ['sms', 'whatsapp', 'rcs', 'voice', 'email']

/** What is connected, how it stands, and the switch of each channel. */
export function ChannelsPage() {
  const flags = useApi('channels.get', {})
  const update = useApiWrite('channels.update', {
    refreshes: ['channels.get'],
    onError: (error) => toast.error(error.message),
  })
  return (
    <Page title="Channels">
      {flags.isPending ? (
        <Loading label="Loading channels">
          <SkeletonLines count={5} />
        </Loading>
      ) : null}
      {flags.isError ? <Failure error={flags.error} onRetry={() => void flags.refetch()} /> : null}
      {flags.data ? (
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
                {channel === 'sms' ? <SmsState /> : <Elsewhere channel={channel} />}
              </div>
              {channel === 'voice' || channel === 'email' ? null : (
                <Switch
                  label={`${channelLabel(channel)} is switched on`}
                  checked={flags.data[channel]}
                  disabled={!mayCall('channels.update') || update.isPending}
                  onCheckedChange={(isOn) => update.mutate({ body: { [channel]: isOn } })}
                />
              )}
              {channel === 'sms' ? (
                <Button size="sm" asChild>
                  <AreaLink to="channels/sms">Manage</AreaLink>
                </Button>
              ) : null}
            </li>
          ))}
        </ul>
      ) : null}
    </Page>
  )
}

function SmsState() {
  const accounts = useApi('smsAccounts.list', {}, { enabled: mayCall('smsAccounts.list') })
  if (!mayCall('smsAccounts.list')) return <>Managed by your account manager</>
  const active = accounts.data?.filter((account) => account.isActive) ?? []
  const worst = active.find((account) => account.state.status !== 'connected') ?? active[0]
  if (!accounts.data) return null
  if (!worst) return <>No active account</>
  const words = laneWords[worst.state.status]
  return (
    <span className="flex items-center gap-2">
      <Pill tone={words.tone}>{words.label}</Pill>
      {countOf(active.length, 'active account')} ·{' '}
      {countOf(new Set(active.flatMap((account) => account.headers)).size, 'header')}
    </span>
  )
}

function Elsewhere({ channel }: { channel: Channel }) {
  return <>{channel === 'voice' || channel === 'email' ? 'Off. Ask your account manager' : 'Not connected'}</>
}

import type { RcsBot } from '@carillon/contract/channels/rcs/rcs-bots'
import { mayCall } from '../../../lib/call.ts'
import { senderOff } from '../../../lib/campaign-effects.ts'
import { useApiWrite } from '../../../lib/use-api.ts'
import { useSwitchOff } from '../../../lib/use-switch-off.ts'
import { Button } from '../../../ui/button.tsx'
import { SwitchOffDialog } from '../../../ui/campaigns-affected.tsx'
import { Pill } from '../../../ui/pill.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { toast } from '../../../ui/toast.tsx'
import { carriersOf, stateOf } from './bot-steps.ts'
import { StepLine } from './step-line.tsx'

type BotRowProps = { bot: RcsBot; withOrganization?: boolean; onOpen: () => void }

export function BotRow({ bot, withOrganization = false, onOpen }: BotRowProps) {
  const { label, tone } = stateOf(bot)
  return (
    <li className="flex min-h-16 flex-wrap items-center gap-x-4 gap-y-2 border-b border-line py-3">
      <div className="min-w-48 flex-1">
        <h3 className="font-medium wrap-anywhere">{bot.name}</h3>
        <p className="text-caption wrap-anywhere text-muted-foreground">
          {withOrganization ? bot.organizationName : bot.brandName}
          {bot.botId ? (
            <>
              {' · '}
              <span className="font-mono">{bot.botId}</span>
            </>
          ) : null}
        </p>
      </div>
      <div className="flex min-w-56 flex-1 flex-col gap-1 max-md:basis-full">
        <StepLine bot={bot} />
        <span className="flex flex-wrap items-center gap-2 text-dense text-muted-foreground">
          <Pill tone={tone}>{label}</Pill> {bot.reason ?? carriersOf(bot)}
        </span>
      </div>
      {bot.botId ? <OnSwitch bot={bot} botId={bot.botId} /> : null}
      <Button size="sm" onClick={onOpen} aria-label={`Open ${bot.name}`}>
        Open
      </Button>
    </li>
  )
}

function OnSwitch({ bot, botId }: { bot: RcsBot; botId: string }) {
  const set = useApiWrite('bots.setStatus', {
    refreshes: ['bots.own', 'bots.list', 'bots.all'],
    onError: ({ message }) => toast.error(message),
  })
  const guard = useSwitchOff()
  const change = (isActive: boolean) => set.mutate({ body: { botId, botStatus: isActive ? 'active' : 'inactive' } })
  return (
    <label className="flex items-center gap-2 text-dense">
      <Switch
        label={`${bot.name} is on`}
        checked={bot.isActive}
        disabled={!mayCall('bots.setStatus') || set.isPending || guard.isChecking}
        onCheckedChange={(isActive) =>
          isActive ? change(true) : guard.switchOff({ need: 'sender', ids: bot._id }, () => change(false))
        }
      />
      {bot.isActive ? 'On' : 'Off'}
      <SwitchOffDialog guard={guard} title={`Switch off ${bot.name}?`} action="Switch off bot" effects={senderOff} />
    </label>
  )
}

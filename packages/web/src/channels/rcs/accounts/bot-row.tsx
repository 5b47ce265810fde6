import type { RcsBot } from '@carillon/contract/channels/rcs/rcs-bots'
import { mayCall } from '../../../lib/call.ts'
import { senderOff } from '../../../lib/campaign-effects.ts'
import { useApiWrite } from '../../../lib/use-api.ts'
import { useSwitchOff } from '../../../lib/use-switch-off.ts'
import { SwitchOffDialog } from '../../../ui/campaigns-affected.tsx'
import { Pill } from '../../../ui/pill.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { toast } from '../../../ui/toast.tsx'
import { BotLogo } from './bot-logo.tsx'
import { stateOf } from './bot-steps.ts'
import { Carriers } from './carriers.tsx'
import { StepLine } from './step-line.tsx'

type BotRowProps = {
  bot: RcsBot
  withOrganization?: boolean
  onOpen: () => void
  /** The pointer or the focus is on the row. */
  onLook?: () => void
}

/** The name opens the bot, and so does the rest of the row. */
export function BotRow({ bot, withOrganization = false, onOpen, onLook }: BotRowProps) {
  const { label, tone } = stateOf(bot)
  const problem = bot.failure ?? bot.reason
  // All bots have a heading of their own above; on their page the title is above.
  const Heading = withOrganization ? 'h3' : 'h2'
  return (
    <li
      onPointerEnter={onLook}
      onFocus={onLook}
      className="relative flex items-start gap-3 border-b border-line py-3 has-[:is(h2,h3)_button:hover]:bg-accent/50"
    >
      <BotLogo name={bot.name} logoUrl={bot.logoUrl} color={bot.color} />
      <div className="grid min-w-0 flex-1 gap-x-6 gap-y-2 @3xl:mr-4 @3xl:grid-cols-[minmax(13rem,1fr)_minmax(21.5rem,1fr)]">
        <div className="min-w-0">
          <Heading className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <button
              type="button"
              onClick={onOpen}
              className="text-left font-medium wrap-anywhere after:absolute after:inset-0 pointer-coarse:-my-3"
            >
              {bot.name}
            </button>
            <Pill tone={tone}>{label}</Pill>
          </Heading>
          <p className="mt-0.5 truncate text-caption text-muted-foreground">
            {withOrganization ? bot.organizationName : bot.brandName}
          </p>
          {bot.botId ? (
            <p className="truncate font-mono text-caption text-muted-foreground max-md:hidden">{bot.botId}</p>
          ) : null}
        </div>
        <div className="flex min-w-0 flex-col gap-2">
          <StepLine bot={bot} />
          {problem ? <p className="text-dense wrap-anywhere text-danger-text">{problem}</p> : null}
          <Carriers launches={bot.launches} />
        </div>
      </div>
      {bot.botId ? <OnSwitch bot={bot} botId={bot.botId} /> : <span className="w-15 shrink-0 max-md:hidden" />}
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
    <label className="relative z-1 flex min-h-6 w-15 shrink-0 items-center gap-2 text-dense pointer-coarse:min-h-11">
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

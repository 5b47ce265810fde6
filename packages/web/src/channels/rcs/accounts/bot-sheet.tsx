import type { RcsBot } from '@carillon/contract/channels/rcs/rcs-bots'
import { RotateCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { mayCall } from '../../../lib/call.ts'
import { useApiWrite } from '../../../lib/use-api.ts'
import { Button } from '../../../ui/button.tsx'
import { Copyable } from '../../../ui/copyable.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Pill } from '../../../ui/pill.tsx'
import { Sheet } from '../../../ui/sheet.tsx'
import { When } from '../../../ui/text.tsx'
import { toast } from '../../../ui/toast.tsx'
import { brandOfBot } from './bot-brand.ts'
import { BotDocuments } from './bot-documents.tsx'
import { BotPagePhone } from './bot-page-phone.tsx'
import { countryOf, launchLabels, operatorOf, stateOf } from './bot-steps.ts'
import { launchIcons } from './carriers.tsx'
import { Part } from './part.tsx'
import { StepList } from './step-line.tsx'
import { TestMessage, Testers } from './testers.tsx'

type BotSheetProps = {
  bot: RcsBot
  /** Buttons beside the refresh, and what they open. */
  actions?: ReactNode
  /** Callbacks, for administrators. */
  more?: ReactNode
  onClose: () => void
}

/** A bot with its steps, its brand on a phone, operators and test phones. */
export function BotSheet({ bot, actions, more, onClose }: BotSheetProps) {
  const { label, tone } = stateOf(bot)
  const title = (
    <>
      <span className="min-w-0 truncate">{bot.name}</span> <Pill tone={tone}>{label}</Pill>
    </>
  )
  return (
    <Sheet open onOpenChange={(open) => !open && onClose()} title={title} name={bot.name} width="wide" isToRead>
      <div className="flex flex-col gap-6 p-5">
        <Problems bot={bot} />
        <div className="flex flex-wrap gap-x-6 gap-y-5">
          <div className="flex min-w-64 flex-1 flex-col gap-5">
            <StepList bot={bot} />
            {bot.botId ? <Identity bot={bot} botId={bot.botId} actions={actions} /> : actions}
          </div>
          <BotPagePhone brand={brandOfBot(bot)} />
        </div>
        {bot.botId ? <Launches launches={bot.launches} /> : null}
        {bot.botId ? <Testers bot={bot} /> : null}
        {bot.botId && mayCall('bots.test') ? <TestMessage bot={bot} /> : null}
        <BotDocuments bot={bot} />
        {more}
      </div>
    </Sheet>
  )
}

function Problems({ bot: { failure, lane, reason, webhook } }: { bot: RcsBot }) {
  const stopped = lane?.status === 'stopped' ? lane.lastError?.message : undefined
  const problems = [failure, stopped, reason === null ? undefined : `Rejected: ${reason}`]
  return (
    <>
      {problems.map((problem) =>
        problem ? (
          <Notice key={problem} tone="bad">
            {problem}
          </Notice>
        ) : null,
      )}
      {webhook && !webhook.isVerified ? (
        <Notice tone="care">
          The callback URL is not verified: replies and delivery reports do not arrive. An administrator registers it.
        </Notice>
      ) : null}
    </>
  )
}

type IdentityProps = { bot: RcsBot; botId: string; actions: ReactNode }

function Identity({ bot, botId, actions }: IdentityProps) {
  const sync = useApiWrite('bots.sync', {
    refreshes: ['bots.own', 'bots.list', 'bots.all'],
    onError: ({ message }) => toast.error(message),
  })
  return (
    <section aria-label="Bot" className="flex min-w-0 flex-col items-start gap-2">
      <Copyable text={botId} label="Copy bot id" />
      <p className="text-dense text-muted-foreground">
        {bot.providerLabel}
        {bot.checkedAt ? (
          <>
            {' · checked '}
            <When at={bot.checkedAt} />
          </>
        ) : null}
      </p>
      <div className="flex flex-wrap gap-2">
        {bot.isManaged && mayCall('bots.sync') ? (
          <Button size="sm" loading={sync.isPending} onClick={() => sync.mutate({ path: { id: bot._id } })}>
            <RotateCw aria-hidden /> Refresh
          </Button>
        ) : null}
        {actions}
      </div>
    </section>
  )
}

function Launches({ launches }: Pick<RcsBot, 'launches'>) {
  return (
    <Part title="Operators">
      {launches.length === 0 ? (
        <p className="text-muted-foreground">Not launched yet: only test phones receive messages.</p>
      ) : (
        <ul className="w-full border-t border-border">
          {launches.map((launch) => {
            const { label, tone } = launchLabels[launch.state]
            return (
              <li
                key={`${launch.country}${launch.carrier}`}
                className="grid grid-cols-[1fr_7rem_auto] items-center gap-x-3 gap-y-1 border-b border-line py-2"
              >
                <span className="min-w-0">
                  {operatorOf(launch)} <span className="text-muted-foreground">{countryOf(launch)}</span>
                </span>
                <span>
                  <Pill tone={tone} icon={launchIcons[launch.state]}>
                    {label}
                  </Pill>
                </span>
                <span className="min-w-20 text-right text-dense text-muted-foreground">
                  <When at={launch.at} />
                </span>
                {launch.note ? <p className="col-span-full text-dense text-muted-foreground">{launch.note}</p> : null}
              </li>
            )
          })}
        </ul>
      )}
    </Part>
  )
}

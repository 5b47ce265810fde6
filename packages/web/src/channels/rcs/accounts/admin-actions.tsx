import type { BotRegion } from '@carillon/contract/channels/rcs/rcs-bot-admin'
import type { RcsBot } from '@carillon/contract/channels/rcs/rcs-bots'
import clsx from 'clsx'
import { CircleCheck, Pencil, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { useApi, useApiWrite } from '../../../lib/use-api.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Copyable } from '../../../ui/copyable.tsx'
import { Field } from '../../../ui/field.tsx'
import { Textarea } from '../../../ui/input.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Pill } from '../../../ui/pill.tsx'
import { Region } from '../../../ui/region.tsx'
import { toast } from '../../../ui/toast.tsx'
import { launchLabels, type Launch } from './bot-steps.ts'
import { Part } from './part.tsx'

const refreshes = ['bots.all'] as const
const onError = ({ message }: { message: string }) => toast.error(message)

type AdminActionsProps = { bot: RcsBot; onCreate: () => void; onEdit: () => void }

/** What the administrator can do with a request or a bot. */
export function AdminActions({ bot, onCreate, onEdit }: AdminActionsProps) {
  if (bot.state === 'requested') return <Answer bot={bot} onCreate={onCreate} />
  if (bot.state === 'rejected') return null
  return (
    <>
      <Button size="sm" onClick={onEdit}>
        <Pencil aria-hidden /> Edit
      </Button>
      {bot.isManaged ? <Review bot={bot} /> : null}
    </>
  )
}

function Answer({ bot, onCreate }: { bot: RcsBot; onCreate: () => void }) {
  const [reason, setReason] = useState<string>()
  const reject = useApiWrite('bots.reject', { refreshes })
  if (reason === undefined)
    return (
      <Part title="Answer the request" help={`By ${bot.requestedBy ?? 'a former user'} of ${bot.organizationName}`}>
        <div className="flex flex-wrap gap-2">
          <Button variant="primary" onClick={onCreate}>
            Create bot
          </Button>
          <Button onClick={() => setReason('')}>Reject…</Button>
        </div>
      </Part>
    )
  return (
    <Part title="Reject the request">
      <Field
        label="Reason"
        help="The customer sees it and can correct the request"
        error={reject.error?.message}
        className="w-full"
      >
        <Textarea
          rows={2}
          autoFocus
          value={reason}
          maxLength={500}
          onChange={({ target }) => setReason(target.value)}
        />
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button
          variant="primary"
          loading={reject.isPending}
          onClick={() => reject.mutate({ path: { id: bot._id }, body: { reason } })}
        >
          Reject request
        </Button>
        <Button onClick={() => setReason(undefined)}>Cancel</Button>
      </div>
    </Part>
  )
}

function Review({ bot }: { bot: RcsBot }) {
  const verify = useApiWrite('bots.verify', { refreshes, onError })
  const isOpen = bot.verification === 'unverified' || bot.verification === 'rejected'
  if (isOpen)
    return (
      <Button size="sm" loading={verify.isPending} onClick={() => verify.mutate({ path: { id: bot._id } })}>
        Request verification
      </Button>
    )
  return bot.verification === 'verified' ? <LaunchRequest bot={bot} /> : null
}

function LaunchRequest({ bot }: { bot: RcsBot }) {
  const [isChoosing, setChoosing] = useState(false)
  const [chosen, setChosen] = useState<readonly string[]>([])
  const regions = useApi('bots.regions', {}, { enabled: isChoosing })
  const launch = useApiWrite('bots.launch', { refreshes, onError, onSuccess: () => setChoosing(false) })
  if (!isChoosing)
    return (
      <Button size="sm" onClick={() => setChoosing(true)}>
        Request launch…
      </Button>
    )
  return (
    <fieldset className="flex min-w-0 basis-full flex-col gap-2">
      <legend className="mb-2 font-medium">Launch with</legend>
      <Region read={regions} label="operators" lines={3}>
        {(list) =>
          list.map((region) => (
            <RegionChoice
              key={region.id}
              region={region}
              launch={bot.launches.find((launch) => isLaunchIn(launch, region))}
              isChosen={chosen.includes(region.id)}
              onChoose={(isChosen) =>
                setChosen(isChosen ? [...chosen, region.id] : chosen.filter((one) => one !== region.id))
              }
            />
          ))
        }
      </Region>
      <div className="flex flex-wrap gap-2 pt-1">
        <Button
          size="sm"
          variant="primary"
          disabled={chosen.length === 0}
          loading={launch.isPending}
          onClick={() => launch.mutate({ path: { id: bot._id }, body: { regions: [...chosen] } })}
        >
          Request launch
        </Button>
        <Button size="sm" onClick={() => setChoosing(false)}>
          Cancel
        </Button>
      </div>
    </fieldset>
  )
}

function isLaunchIn({ country, carrier }: Launch, region: BotRegion): boolean {
  return country === region.country && carrier === region.carrier
}

type RegionChoiceProps = {
  region: BotRegion
  launch: Launch | undefined
  isChosen: boolean
  onChoose: (isChosen: boolean) => void
}

/** An operator that has launched the bot, or is reviewing it, cannot be asked again. */
function RegionChoice({ region, launch, isChosen, onChoose }: RegionChoiceProps) {
  const isAsked = launch?.state === 'launched' || launch?.state === 'pending'
  return (
    <label
      className={clsx('flex min-h-6 items-center gap-2 pointer-coarse:min-h-11', isAsked && 'text-muted-foreground')}
    >
      <Checkbox checked={isChosen} disabled={isAsked} onChange={({ target }) => onChoose(target.checked)} />
      {region.name}
      {launch ? <Pill tone={launchLabels[launch.state].tone}>{launchLabels[launch.state].label}</Pill> : null}
    </label>
  )
}

/** The callback URL of a bot, and its registration at the provider. */
export function Callbacks({ bot }: { bot: RcsBot }) {
  const register = useApiWrite('bots.registerWebhook', { refreshes, onError })
  const { webhook } = bot
  if (!webhook) return null
  const { data } = register
  return (
    <Part title="Callbacks" help="Replies and delivery reports of this bot alone arrive at this address.">
      <div className="flex w-full flex-wrap items-center gap-x-3 gap-y-1">
        <Pill tone={webhook.isVerified ? 'good' : 'care'} icon={webhook.isVerified ? CircleCheck : TriangleAlert}>
          {webhook.isVerified ? 'Verified' : 'Not verified'}
        </Pill>
        <span className="min-w-0 flex-1">
          <Copyable text={webhook.callbackUrl} label="Copy callback URL" />
        </span>
      </div>
      <Button size="sm" loading={register.isPending} onClick={() => register.mutate({ path: { id: bot._id } })}>
        {webhook.isVerified ? 'Register again' : 'Register callback URL'}
      </Button>
      {data ? (
        <Notice tone={data.isRegistered ? 'info' : 'care'}>{data.problem ?? 'Registered and verified'}</Notice>
      ) : null}
      {data && !data.isRegistered ? (
        <>
          <p className="text-dense">Enter the address and this token in the provider’s console:</p>
          {data.clientToken ? <Copyable text={data.clientToken} label="Copy client token" /> : null}
        </>
      ) : null}
    </Part>
  )
}

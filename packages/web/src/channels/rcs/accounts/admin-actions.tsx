import type { RcsBot } from '@carillon/contract/channels/rcs/rcs-bots'
import { useState } from 'react'
import { useApi, useApiWrite } from '../../../lib/use-api.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Copyable } from '../../../ui/copyable.tsx'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Region } from '../../../ui/region.tsx'
import { toast } from '../../../ui/toast.tsx'
import { Part } from './bot-sheet.tsx'

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
        Edit
      </Button>
      {bot.isManaged ? <Review bot={bot} /> : null}
      <Webhook bot={bot} />
    </>
  )
}

function Answer({ bot, onCreate }: { bot: RcsBot; onCreate: () => void }) {
  const [reason, setReason] = useState('')
  const reject = useApiWrite('bots.reject', { refreshes })
  return (
    <Part title={`Requested by ${bot.requestedBy ?? 'a former user'}, ${bot.organizationName}`}>
      <Button variant="primary" onClick={onCreate}>
        Create bot
      </Button>
      <Field label="Reason for a rejection" error={reject.error?.message} className="w-full">
        <Input value={reason} maxLength={500} onChange={({ target }) => setReason(target.value)} />
      </Field>
      <Button loading={reject.isPending} onClick={() => reject.mutate({ path: { id: bot._id }, body: { reason } })}>
        Reject request
      </Button>
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
  return bot.verification === 'verified' ? <Launch bot={bot} /> : null
}

function Launch({ bot }: { bot: RcsBot }) {
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
    <fieldset className="flex basis-full flex-col gap-2">
      <legend className="font-medium">Operators</legend>
      <Region read={regions} label="operators" lines={3}>
        {(list) =>
          list.map(({ id, name }) => (
            <label key={id} className="flex items-center gap-2">
              <Checkbox
                checked={chosen.includes(id)}
                onChange={({ target }) =>
                  setChosen(target.checked ? [...chosen, id] : chosen.filter((one) => one !== id))
                }
              />
              {name}
            </label>
          ))
        }
      </Region>
      <Button
        className="self-start"
        disabled={chosen.length === 0}
        loading={launch.isPending}
        onClick={() => launch.mutate({ path: { id: bot._id }, body: { regions: [...chosen] } })}
      >
        Request launch
      </Button>
    </fieldset>
  )
}

function Webhook({ bot }: { bot: RcsBot }) {
  const register = useApiWrite('bots.registerWebhook', { refreshes, onError })
  return (
    <>
      <Button size="sm" loading={register.isPending} onClick={() => register.mutate({ path: { id: bot._id } })}>
        Register callback URL
      </Button>
      {register.data ? (
        <div className="flex basis-full flex-col items-start gap-2">
          <Notice tone={register.data.isRegistered ? 'info' : 'care'}>
            {register.data.problem ?? 'Registered and verified'}
          </Notice>
          {register.data.isRegistered ? null : (
            <>
              <p>Enter these in the provider’s console, under the bot’s integrations:</p>
              <Copyable text={register.data.callbackUrl} label="Copy callback URL" />
              {register.data.clientToken ? (
                <Copyable text={register.data.clientToken} label="Copy client token" />
              ) : null}
            </>
          )}
        </div>
      ) : null}
    </>
  )
}

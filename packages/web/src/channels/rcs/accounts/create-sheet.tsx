import type { RcsBot } from '@carillon/contract/channels/rcs/rcs-bots'
import type { ProviderForm } from '@carillon/contract/senders'
import { useState, type FormEvent } from 'react'
import { fieldMessages, useApi, useApiWrite } from '../../../lib/use-api.ts'
import { useFieldErrors } from '../../../lib/use-field-errors.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { Region } from '../../../ui/region.tsx'
import { Select } from '../../../ui/select.tsx'
import { Sheet } from '../../../ui/sheet.tsx'
import { toast } from '../../../ui/toast.tsx'
import { draftOfBot, emptyBot, errorsOf, readBot } from './bot-draft.ts'
import { BotForm } from './bot-form.tsx'
import { BotPagePhone } from './bot-page-phone.tsx'
import { defaultSettings, ProviderSettings } from './provider-settings.tsx'
import { Refusal } from './refusal.tsx'
import { brandOfDraft } from './request-sheet.tsx'

type CreateSheetProps = { request: RcsBot | undefined; onClose: () => void }

/** Creates a bot from a request, with the id of one that exists, or from the entered details. */
export function CreateSheet({ request, onClose }: CreateSheetProps) {
  const providers = useApi('bots.providers', {})
  const users = useApi('users.list', { query: { type: 'manager', limit: 100 } }, { enabled: !request })
  return (
    <Sheet
      open
      onOpenChange={(open) => !open && onClose()}
      title={request ? `Create ${request.name}` : 'Create an RCS bot'}
      width="wide"
    >
      <Region read={providers} label="providers" lines={6}>
        {(forms) => (
          <Creator
            request={request}
            providers={forms}
            organizations={(users.data?.users ?? []).map(({ _id, name }) => ({ value: _id, label: name }))}
            onClose={onClose}
          />
        )}
      </Region>
    </Sheet>
  )
}

type CreatorProps = CreateSheetProps & {
  providers: readonly ProviderForm[]
  organizations: readonly { value: string; label: string }[]
}

function Creator({ request, providers, organizations, onClose }: CreatorProps) {
  const [organizationId, setOrganization] = useState('')
  const [provider, setProvider] = useState(providers[0]?.name ?? '')
  const form = providers.find(({ name }) => name === provider)
  const [botId, setBotId] = useState('')
  const [settings, setSettings] = useState(() => defaultSettings(form))
  const [draft, setDraft] = useState(() => (request ? draftOfBot(request) : emptyBot))
  const { errors, setErrors } = useFieldErrors({ ...draft, ...settings, organizationId, provider, botId })
  const create = useApiWrite('bots.create', {
    refreshes: ['bots.all'],
    onSuccess: ({ name }) => {
      toast.success(`${name} has been created`)
      onClose()
    },
    onError: (error) => setErrors(errorsOf(fieldMessages(error), draft)),
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    const read = readBot(draft)
    const isExisting = botId.trim() !== ''
    setErrors('errors' in read && !isExisting ? read.errors : {})
    if ('errors' in read && !isExisting) return
    create.mutate({
      body: {
        provider,
        ...settings,
        ...(request ? { requestId: request._id } : { organizationId }),
        ...(isExisting ? { botId } : {}),
        ...('details' in read ? { details: read.details } : {}),
      },
    })
  }

  return (
    <form onSubmit={submit} noValidate className="flex min-h-0 flex-1 flex-col">
      <div className="flex flex-1 flex-col gap-6 overflow-y-auto p-5">
        <Refusal error={create.error} />
        <div className="grid gap-4 sm:grid-cols-2">
          {request ? null : (
            <Field label="Organisation" error={errors['organizationId']}>
              <Select
                options={organizations}
                placeholder="Choose an organisation"
                value={organizationId}
                onValueChange={setOrganization}
              />
            </Field>
          )}
          <Field label="Provider" error={errors['provider']}>
            <Select
              options={providers.map(({ name, label }) => ({ value: name, label }))}
              value={provider}
              onValueChange={(name) => {
                setProvider(name)
                setSettings(defaultSettings(providers.find((one) => one.name === name)))
              }}
            />
          </Field>
        </div>
        <Field
          label="Bot id"
          hint="(optional)"
          error={errors['botId']}
          help="Enter the id of a bot that exists at the provider. Without it, the bot is created there with these details."
        >
          <Input mono value={botId} onChange={({ target }) => setBotId(target.value)} />
        </Field>
        <BotPagePhone brand={brandOfDraft(draft)} />
        <BotForm isAdmin draft={draft} errors={errors} onChange={(patch) => setDraft({ ...draft, ...patch })} />
        <ProviderSettings form={form} value={settings} errors={errors} onChange={setSettings} />
      </div>
      <CreateFooter isPending={create.isPending} onClose={onClose} />
    </form>
  )
}

function CreateFooter({ isPending, onClose }: { isPending: boolean; onClose: () => void }) {
  return (
    <footer className="flex justify-end gap-2 border-t border-border px-5 py-3">
      <Button onClick={onClose}>Cancel</Button>
      <Button type="submit" variant="primary" loading={isPending}>
        Create bot
      </Button>
    </footer>
  )
}

import type { AdminBot } from '@carillon/contract/channels/rcs/rcs-bot-admin'
import type { RcsBot } from '@carillon/contract/channels/rcs/rcs-bots'
import type { ProviderForm } from '@carillon/contract/senders'
import { useState, type FormEvent } from 'react'
import { fieldMessages, useApi, useApiWrite } from '../../../lib/use-api.ts'
import { useFieldErrors } from '../../../lib/use-field-errors.ts'
import { Button } from '../../../ui/button.tsx'
import { Region } from '../../../ui/region.tsx'
import { Sheet } from '../../../ui/sheet.tsx'
import { toast } from '../../../ui/toast.tsx'
import { draftOfBot, errorsOf, readChange } from './bot-draft.ts'
import { BotForm } from './bot-form.tsx'
import { BotPagePhone } from './bot-page-phone.tsx'
import { DecisionFields } from './decision-fields.tsx'
import { defaultSettings, ProviderSettings, type SentSettings } from './provider-settings.tsx'
import { Refusal } from './refusal.tsx'
import { brandOfDraft } from './request-sheet.tsx'

/** Changes the brand and settings of a bot and, where the provider cannot be asked, what was decided on it. */
export function EditSheet({ bot: { _id: id, name }, onClose }: { bot: RcsBot; onClose: () => void }) {
  const bot = useApi('bots.get', { path: { id } }, { staleTime: 0 })
  const providers = useApi('bots.providers', {})
  return (
    <Sheet open onOpenChange={(open) => !open && onClose()} title={`Edit ${name}`} width="wide">
      <Region read={bot} label="the bot" lines={8}>
        {(data) => (
          <Region read={providers} label="providers" lines={8}>
            {(forms) => (
              <Editor bot={data} form={forms.find((form) => form.name === data.provider)} onClose={onClose} />
            )}
          </Region>
        )}
      </Region>
    </Sheet>
  )
}

/** Settings without a stored value have their default. */
function settingsOf({ settings }: AdminBot, form: ProviderForm | undefined): SentSettings {
  const defaults = defaultSettings(form)
  return settings
    ? { ratePerSecond: settings.ratePerSecond, config: { ...defaults.config, ...settings.config } }
    : defaults
}

type EditorProps = { bot: AdminBot; form: ProviderForm | undefined; onClose: () => void }

function Editor({ bot, form, onClose }: EditorProps) {
  const [draft, setDraft] = useState(() => draftOfBot(bot))
  const [settings, setSettings] = useState(() => settingsOf(bot, form))
  const [decided, setDecided] = useState({ verification: bot.verification, launches: bot.launches })
  const { errors, setErrors } = useFieldErrors({ ...draft, ...settings, ...decided })
  const save = useApiWrite('bots.update', {
    refreshes: ['bots.all', 'bots.get'],
    onSuccess: () => {
      toast.success('Bot saved')
      onClose()
    },
    onError: (error) => setErrors(errorsOf(fieldMessages(error), draft)),
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    const read = readChange(draft, bot)
    setErrors('errors' in read ? read.errors : {})
    if ('errors' in read) return
    save.mutate({ body: { id: bot._id, details: read.details, ...settings, ...(bot.isManaged ? {} : decided) } })
  }

  return (
    <form onSubmit={submit} noValidate className="flex min-h-0 flex-1 flex-col">
      <div className="flex flex-1 flex-col gap-6 overflow-y-auto p-5">
        <Refusal error={save.error} />
        <BotPagePhone brand={{ ...brandOfDraft(draft), isVerified: bot.verification === 'verified' }} />
        {bot.isManaged ? null : <DecisionFields decided={decided} onChange={setDecided} />}
        <BotForm
          isAdmin
          isHosted
          draft={draft}
          errors={errors}
          onChange={(patch) => setDraft({ ...draft, ...patch })}
        />
        <ProviderSettings
          form={form}
          value={settings}
          secretsSet={bot.settings?.secretsSet ?? []}
          errors={errors}
          onChange={setSettings}
        />
      </div>
      <footer className="flex justify-end gap-2 border-t border-border px-5 py-3">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" loading={save.isPending}>
          Save
        </Button>
      </footer>
    </form>
  )
}

import type { RcsBot } from '@carillon/contract/channels/rcs/rcs-bots'
import { useState, type FormEvent } from 'react'
import { fieldMessages, useApiWrite } from '../../../lib/use-api.ts'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Sheet } from '../../../ui/sheet.tsx'
import { toast } from '../../../ui/toast.tsx'
import { draftOfBot, readBot } from './bot-draft.ts'
import { BotForm } from './bot-form.tsx'
import { BotPagePhone } from './bot-page-phone.tsx'
import { errorsOf } from './create-sheet.tsx'
import { brandOfDraft } from './request-sheet.tsx'
import { DecisionFields } from './decision-fields.tsx'

/** Changes the brand of a bot and, where the provider cannot be asked, what was decided on it. */
export function EditSheet({ bot, onClose }: { bot: RcsBot; onClose: () => void }) {
  const [draft, setDraft] = useState(() => draftOfBot(bot))
  const [decided, setDecided] = useState({ verification: bot.verification, launches: bot.launches })
  const [own, setOwn] = useState<Record<string, string>>({})
  const save = useApiWrite('bots.update', {
    refreshes: ['bots.all'],
    onSuccess: () => {
      toast.success('Bot saved')
      onClose()
    },
  })
  const errors = { ...errorsOf(fieldMessages(save.error)), ...own }

  function submit(event: FormEvent) {
    event.preventDefault()
    const read = readBot(draft)
    setOwn('errors' in read ? read.errors : {})
    if ('errors' in read) return
    save.mutate({ body: { id: bot._id, details: read.details, ...(bot.isManaged ? {} : decided) } })
  }

  return (
    <Sheet open onOpenChange={(open) => !open && onClose()} title={`Edit ${bot.name}`} width="wide">
      <form onSubmit={submit} noValidate className="flex min-h-0 flex-1 flex-col">
        <div className="flex flex-1 flex-col gap-6 overflow-y-auto p-5">
          {save.error ? <Notice tone="bad">{save.error.message}</Notice> : null}
          <BotPagePhone brand={{ ...brandOfDraft(draft), isVerified: bot.verification === 'verified' }} />
          {bot.isManaged ? null : <DecisionFields decided={decided} onChange={setDecided} />}
          <BotForm draft={draft} errors={errors} onChange={(patch) => setDraft({ ...draft, ...patch })} />
        </div>
        <footer className="flex justify-end gap-2 border-t border-border px-5 py-3">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" loading={save.isPending}>
            Save
          </Button>
        </footer>
      </form>
    </Sheet>
  )
}

import type { RcsBot } from '@carillon/contract/channels/rcs/rcs-bots'
import { useState, type FormEvent } from 'react'
import { fieldMessages, useApiWrite } from '../../../lib/use-api.ts'
import { useFieldErrors } from '../../../lib/use-field-errors.ts'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Sheet } from '../../../ui/sheet.tsx'
import { toast } from '../../../ui/toast.tsx'
import { draftOfBot, emptyBot, errorsOf, readBot, type BotDraft, type ContactKind } from './bot-draft.ts'
import { BotForm } from './bot-form.tsx'
import { BotPagePhone, type ShownBrand } from './bot-page-phone.tsx'
import { Refusal } from './refusal.tsx'

type RequestSheetProps = { request: RcsBot | undefined; onClose: () => void }

/** Asks the administrator for a bot, or submits a rejected request again. */
export function RequestSheet({ request, onClose }: RequestSheetProps) {
  const [draft, setDraft] = useState<BotDraft>(() => (request ? draftOfBot(request) : emptyBot))
  const { errors, setErrors } = useFieldErrors(draft)
  const send = useApiWrite('bots.request', {
    refreshes: ['bots.own'],
    onSuccess: () => {
      toast.success('Requested: your administrator has been notified')
      onClose()
    },
    onError: (error) => setErrors(errorsOf(fieldMessages(error), draft)),
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    const read = readBot(draft)
    setErrors('errors' in read ? read.errors : {})
    if ('details' in read) send.mutate({ body: { details: read.details, ...(request ? { id: request._id } : {}) } })
  }

  return (
    <Sheet
      open
      onOpenChange={(open) => !open && onClose()}
      title={request ? `Edit the request for ${request.name}` : 'Request an RCS bot'}
      width="wide"
    >
      <form onSubmit={submit} noValidate className="flex min-h-0 flex-1 flex-col">
        <div className="flex flex-1 flex-col gap-6 overflow-y-auto p-5">
          {request?.reason ? <Notice tone="bad">Rejected: {request.reason}</Notice> : null}
          <Refusal error={send.error} />
          <BotPagePhone brand={brandOfDraft(draft)} />
          <BotForm draft={draft} errors={errors} onChange={(patch) => setDraft({ ...draft, ...patch })} />
        </div>
        <footer className="flex justify-end gap-2 border-t border-border px-5 py-3">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" loading={send.isPending}>
            Request bot
          </Button>
        </footer>
      </form>
    </Sheet>
  )
}

export function brandOfDraft(draft: BotDraft): ShownBrand {
  const { name, description, color, logoId, bannerId } = draft
  const urlOf = (id: string) => (id ? `/api/v1/bot-assets/${id}` : null)
  const shown = (kind: ContactKind, icon: ShownBrand['contacts'][number]['kind']) =>
    draft[kind].flatMap(({ text, label }) => (text.trim() === '' ? [] : [{ kind: icon, text, label }]))
  return {
    name,
    description,
    color,
    logoUrl: urlOf(logoId),
    bannerUrl: urlOf(bannerId),
    isVerified: false,
    contacts: [...shown('phoneNumbers', 'phone'), ...shown('emails', 'mail'), ...shown('websites', 'web')],
  }
}

import type { WhatsappTemplate } from '@carillon/contract/channels/whatsapp/whatsapp-templates'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'
import { refresh, useWriteOnce } from '../../../lib/use-api.ts'
import { inputOf, isLocked, isSaved, type Variant, type WhatsappForm } from './form.ts'

type Saved = { language: string; template: WhatsappTemplate }

type SaveOptions = {
  /** Called for each language once it is saved, even if a later one is rejected. */
  onSaved: (saved: Saved, form: WhatsappForm) => void
}

/** Saves drafts and submits templates; each language is a template of its own. */
export function useSaveWhatsapp({ onSaved }: SaveOptions) {
  const queries = useQueryClient()
  const settled = () => void refresh(queries, ['waTemplates.list', 'waTemplates.get'])
  const draft = useWriteOnce<void, WhatsappForm>({
    write: (form, { key }) => each(form, draftsOf(form), { way: 'waTemplates.save', key, onSaved }),
    onSuccess: settled,
    onError: settled,
  })
  const submit = useWriteOnce<void, WhatsappForm>({
    write: (form, { key }) => each(form, toSubmit(form), { way: 'waTemplates.create', key, onSaved }),
    onSuccess: settled,
    onError: settled,
  })
  return { draft, submit }
}

/** A draft is saved whenever it differs; submitted templates change only by submitting again. */
export function draftsOf(form: WhatsappForm): Variant[] {
  return form.variants.filter((variant) => variant.status === 'DRAFT' && !isSaved(form, variant))
}

/** Languages with changes that were not submitted. */
export function toSubmit(form: WhatsappForm): Variant[] {
  return form.variants.filter(
    (variant) => !isLocked(variant) && (variant.status === 'DRAFT' || !isSaved(form, variant)),
  )
}

type Sending = SaveOptions & { way: 'waTemplates.save' | 'waTemplates.create'; key: string }

async function each(form: WhatsappForm, variants: readonly Variant[], { way, key, onSaved }: Sending) {
  for (const variant of variants) {
    const body = { ...inputOf(form, variant), ...(variant.id ? { id: variant.id } : {}) }
    const template = await call(way, { body }, { key: `${key}-${variant.language}` })
    onSaved({ language: variant.language, template }, form)
  }
}

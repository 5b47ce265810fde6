import type { WhatsappTemplate } from '@carillon/contract/channels/whatsapp/whatsapp-templates'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'
import { refresh, useWriteOnce } from '../../../lib/use-api.ts'
import { inputOf, isLocked, isSaved, type Variant, type WhatsappForm } from './form.ts'

type Saved = { language: string; template: WhatsappTemplate }

type SaveOptions = {
  /** Each language as soon as the server has it, also when a later one is refused. */
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

/** A draft is saved whenever it differs; what Meta knows already changes by submitting only. */
export function draftsOf(form: WhatsappForm): Variant[] {
  return form.variants.filter((variant) => variant.status === 'DRAFT' && !isSaved(form, variant))
}

/** What Meta has not seen as it now reads. */
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

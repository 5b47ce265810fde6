import type { WhatsappTemplate } from '@carillon/contract/whatsapp-templates'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call, type CallError } from '../../lib/call.ts'
import { refresh } from '../../lib/use-api.ts'
import { inputOf, isLocked, isSaved, type Variant, type WhatsappForm } from './whatsapp-form.ts'

type Saved = { language: string; template: WhatsappTemplate }

type SaveOptions = {
  /** Each language as soon as the server has it, also when a later one is refused. */
  onSaved: (saved: Saved, form: WhatsappForm) => void
}

/** Keeps drafts, and submits what is ready: each language is a template of its own. */
export function useSaveWhatsapp({ onSaved }: SaveOptions) {
  const queries = useQueryClient()
  const settled = () => void refresh(queries, ['waTemplates.list', 'waTemplates.get'])
  const draft = useMutation<void, CallError, WhatsappForm>({
    mutationFn: (form) => each(form, draftsOf(form), { way: 'waTemplates.save', onSaved }),
    onSettled: settled,
  })
  const submit = useMutation<void, CallError, WhatsappForm>({
    mutationFn: (form) => each(form, toSubmit(form), { way: 'waTemplates.create', onSaved }),
    onSettled: settled,
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

type Sending = SaveOptions & { way: 'waTemplates.save' | 'waTemplates.create' }

async function each(form: WhatsappForm, variants: readonly Variant[], { way, onSaved }: Sending) {
  for (const variant of variants) {
    const body = { ...inputOf(form, variant), ...(variant.id ? { id: variant.id } : {}) }
    const template = await call(way, { body })
    onSaved({ language: variant.language, template }, form)
  }
}

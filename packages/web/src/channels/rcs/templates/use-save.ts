import type { RcsTemplate, RcsTemplateInput } from '@carillon/contract/channels/rcs/rcs-templates'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call } from '../../../lib/call.ts'
import { refresh, useWriteOnce } from '../../../lib/use-api.ts'
import type { SaveState } from '../../../ui/wizard-frame.tsx'
import { inputOf, isBlank, isSaved, type RcsForm } from './form.ts'

type SaveOptions = { onSaved: (template: RcsTemplate, sent: RcsTemplateInput) => void }

/** Saves drafts, and creates the template. */
export function useSaveRcs({ onSaved }: SaveOptions) {
  const queries = useQueryClient()
  const settled = () => void refresh(queries, ['rcsTemplates.list', 'rcsTemplates.get'])
  const write =
    (name: 'rcsTemplates.save' | 'rcsTemplates.create') =>
    async (form: RcsForm, { key }: { key: string }) => {
      const body = { ...inputOf(form), ...(form.id ? { id: form.id } : {}) }
      const template = await call(name, { body }, { key })
      onSaved(template, form.input)
      return template
    }
  const draft = useWriteOnce<RcsTemplate, RcsForm>({ write: write('rcsTemplates.save'), onSuccess: settled })
  const create = useWriteOnce<RcsTemplate, RcsForm>({ write: write('rcsTemplates.create'), onSuccess: settled })
  return { draft, create }
}

export type RcsSaving = ReturnType<typeof useSaveRcs>

const restMs = 2000

/** Saves a draft with a name automatically, two seconds after the last change. */
export function useDraftSaving(form: RcsForm, { draft, create }: RcsSaving): SaveState {
  const [savedAt, setSavedAt] = useState<number>()
  const { mutate, isPending, isError, variables } = draft
  // What was refused is not sent again before it is changed.
  const isRefused = isError && variables?.input === form.input
  const isDue = isUnsavedDraft(form) && !isRefused && !isPending && !create.isPending && !create.isSuccess
  const { id, status, input, saved } = form
  useEffect(() => {
    if (!isDue) return undefined
    const save = () => mutate({ id, status, input, saved }, { onSuccess: () => setSavedAt(Date.now()) })
    const timer = setTimeout(save, restMs)
    return () => clearTimeout(timer)
  }, [id, status, input, saved, isDue, mutate])
  if (isPending) return { state: 'saving' }
  if (isError) return { state: 'failed' }
  return savedAt === undefined ? { state: 'none' } : { state: 'saved', at: savedAt }
}

/** A draft without a name cannot be saved yet. */
function isUnsavedDraft(form: RcsForm): boolean {
  return form.status === 'DRAFT' && form.input.name.trim() !== '' && !isBlank(form) && !isSaved(form)
}

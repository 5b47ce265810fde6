import type { SmsTemplateInput } from '@carillon/contract/templates'
import { useNavigate } from '@tanstack/react-router'
import { areaPrefix } from '../../lib/areas.ts'
import { useUser } from '../../lib/session.ts'
import { useApiWrite } from '../../lib/use-api.ts'
import { toast } from '../../ui/toast.tsx'

/** Saves a new template or changes one, then goes back to the list. */
export function useSaveTemplate(id: string | undefined) {
  const navigate = useNavigate()
  const user = useUser()
  const refreshes = ['smsTemplates.list', 'smsTemplates.get'] as const
  const onSuccess = () => {
    toast.success('Template saved')
    // What was changed is saved: the guard against leaving has nothing to ask.
    void navigate({ to: `${user ? areaPrefix[user.type] : ''}/manage-templates/sms`, ignoreBlocker: true })
  }
  const create = useApiWrite('smsTemplates.create', { refreshes, onSuccess })
  const update = useApiWrite('smsTemplates.update', { refreshes, onSuccess })
  const { isPending, isSuccess, error } = id ? update : create
  return {
    isPending,
    isSuccess,
    error,
    save: (input: SmsTemplateInput) =>
      id ? update.mutate({ body: { ...input, id } }) : create.mutate({ body: input }),
  }
}

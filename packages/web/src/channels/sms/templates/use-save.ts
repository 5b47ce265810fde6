import type { SmsTemplateInput } from '@carillon/contract/channels/sms/sms-templates'
import { useApiWrite } from '../../../lib/use-api.ts'
import { useGo } from '../../../ui/area-link.tsx'
import { toast } from '../../../ui/toast.tsx'
import { smsTemplateScreens } from './screens.ts'

/** Creates or updates a template, then returns to the list. */
export function useSaveTemplate(id: string | undefined, onSaved: () => void) {
  const go = useGo()
  const refreshes = ['smsTemplates.list', 'smsTemplates.get'] as const
  const onSuccess = () => {
    onSaved()
    toast.success('Template saved')
    go(smsTemplateScreens.listPath, {}, { isSaved: true })
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

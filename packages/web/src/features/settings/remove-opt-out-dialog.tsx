import type { OptOut } from '@carillon/contract/opt-outs'
import { formatPhone } from '../../lib/format.ts'
import { useApi, useApiWrite } from '../../lib/use-api.ts'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { toast } from '../../ui/toast.tsx'
import { recordsOf, scopeLabel } from './opt-out-labels.ts'

/** A removed person gets campaigns again, which needs their consent. */
export function RemoveOptOutDialog({ optOut, onClose }: { optOut: OptOut; onClose: () => void }) {
  const { phoneNumber, scope } = optOut
  const name = formatPhone(phoneNumber)
  const list = recordsOf(scope)?.optOutList
  const rules = useApi('sendingRules.get', {}, { staleTime: 60_000 })
  const campaigns = rules.data?.optOutScope === 'all' ? 'campaigns on every channel' : `${scopeLabel(scope)} campaigns`
  const remove = useApiWrite('optOuts.remove', {
    refreshes: ['optOuts.list'],
    onSuccess() {
      onClose()
      toast.success(`${name} was removed from the opt-outs`)
    },
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Remove ${name} from the opt-outs?`}
      description={`They will get ${campaigns} again. Remove a number only if the person has given new consent. Your name and the time are recorded in the audit log.`}
      action="Remove from list"
      destructive
      loading={remove.isPending}
      onConfirm={() => list && remove.mutate({ path: { channel: list, number: phoneNumber } })}
    >
      {remove.error ? <Notice tone="bad">{remove.error.message}</Notice> : null}
    </ConfirmDialog>
  )
}

import type { SmsAccount } from '@carillon/contract/senders'
import { neededStill } from '../../lib/switch-off-words.ts'
import { useApiWrite } from '../../lib/use-api.ts'
import { CampaignsAffected } from '../../ui/campaigns-affected.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { toast } from '../../ui/toast.tsx'

/** Says what is deleted with an SMS account, what is kept, and that later delivery reports are lost. */
export function DeleteAccountDialog({ account, onClose }: { account: SmsAccount; onClose: () => void }) {
  const { _id, name, callbackUrl } = account
  const remove = useApiWrite('smsAccounts.delete', {
    refreshes: ['smsAccounts.list', 'smsTemplates.list', 'campaigns.list', 'smsCampaigns.list'],
    onSuccess: () => {
      toast.success(`${name} is deleted`)
      onClose()
    },
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Delete ${name}?`}
      description={`Its connections close and its templates are deleted with it; drafts that use them must choose others. Past campaigns keep its name. ${callbackUrl ? lateByCall : lateByLogin}`}
      action="Delete account"
      cancel="Keep it"
      destructive
      loading={remove.isPending}
      onConfirm={() => remove.mutate({ path: { id: _id } })}
    >
      <div className="flex flex-col gap-3">
        <CampaignsAffected needed={{ need: 'sender', ids: _id }} effects={neededStill} />
        {remove.error ? <Notice tone="bad">{remove.error.message}</Notice> : null}
      </div>
    </ConfirmDialog>
  )
}

const lateByLogin =
  'Outstanding delivery reports are received only over another account with the same login; without one, those messages stay Sent.'
const lateByCall = 'Outstanding delivery reports are still counted.'

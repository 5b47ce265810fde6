import type { SmsAccount } from '@carillon/contract/channels/sms/sms-accounts'
import { neededStill } from '../../../lib/campaign-effects.ts'
import { useApiWrite } from '../../../lib/use-api.ts'
import { CampaignsAffected, useIsNeeded } from '../../../ui/campaigns-affected.tsx'
import { DeleteDialog } from '../../../ui/delete-dialog.tsx'
import { toast } from '../../../ui/toast.tsx'

/** Confirms the deletion of an SMS account and lists its effects. */
export function DeleteAccountDialog({ account, onClose }: { account: SmsAccount; onClose: () => void }) {
  const { _id, name, callbackUrl } = account
  const remove = useApiWrite('smsAccounts.delete', {
    refreshes: ['smsAccounts.list', 'smsTemplates.list', 'campaigns.list', 'smsCampaigns.list'],
    onSuccess: () => {
      toast.success(`${name} is deleted`)
      onClose()
    },
  })
  const needed = { need: 'sender', ids: _id } as const
  const isNeeded = useIsNeeded(needed)
  return (
    <DeleteDialog
      noun="account"
      name={name}
      description={`Its connections close and its templates are deleted with it; drafts that use them must choose others. Past campaigns keep its name. ${callbackUrl ? lateByCall : lateByLogin}`}
      cancel="Keep it"
      remove={remove}
      disabled={isNeeded}
      onConfirm={() => remove.mutate({ path: { id: _id } })}
      onClose={onClose}
    >
      <CampaignsAffected needed={needed} effects={neededStill} />
    </DeleteDialog>
  )
}

const lateByLogin =
  'Outstanding delivery reports are received only over another account with the same login; without one, those messages stay Sent.'
const lateByCall = 'Outstanding delivery reports are still counted.'

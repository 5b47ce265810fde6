import { useState } from 'react'
import { accountClosed, accountStopped } from '../../lib/campaign-effects.ts'
import { useApiWrite } from '../../lib/use-api.ts'
import { CampaignsAffected } from '../../ui/campaigns-affected.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { Notice } from '../../ui/notice.tsx'
import { toast } from '../../ui/toast.tsx'
import { accountReads } from './reads.ts'
import type { ActionDialogProps } from './user-action.ts'

type Change = 'suspend' | 'lock' | 'activate' | 'close'

const words: Record<
  Change,
  { status: 'suspended' | 'locked' | 'active' | 'closed'; action: string; effect: string; done: string; bad?: true }
> = {
  suspend: {
    status: 'suspended',
    action: 'Suspend account',
    effect: 'It and everyone below it can sign in but not send. Running campaigns pause immediately.',
    done: 'is suspended',
    bad: true,
  },
  lock: {
    status: 'locked',
    action: 'Lock account',
    effect: 'It and everyone below it are signed out and cannot sign in; nothing is sent.',
    done: 'is locked',
    bad: true,
  },
  activate: {
    status: 'active',
    action: 'Reactivate account',
    effect: 'It can sign in and send again; campaigns that were paused for this resume.',
    done: 'is active again',
  },
  close: {
    status: 'closed',
    action: 'Close account',
    effect: 'It and every account below it are closed permanently. Messages and payments stay on record.',
    done: 'is closed',
    bad: true,
  },
}

/** Confirms a change of an account's status and explains its effects. */
export function StatusDialog({ user, onClose, change }: ActionDialogProps & { change: Change }) {
  const [reason, setReason] = useState('')
  const { status, action, effect, done, bad } = words[change]
  const set = useApiWrite('users.setStatus', {
    refreshes: accountReads,
    onSuccess() {
      onClose()
      toast.success(`${user.name} ${done}`)
    },
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`${action}: ${user.name}`}
      description={effect}
      action={action}
      {...(bad ? { destructive: true } : {})}
      loading={set.isPending}
      onConfirm={() => set.mutate({ path: { userId: user._id }, body: { status, reason } })}
    >
      <div className="flex flex-col gap-3">
        {change === 'activate' ? null : (
          <CampaignsAffected
            needed={{ need: 'account', ids: user._id }}
            effects={change === 'close' ? accountClosed : accountStopped}
          />
        )}
        <Field label="Reason" hint="optional" help="Sent to the account and recorded in the audit log.">
          <Input maxLength={300} value={reason} onChange={({ target }) => setReason(target.value)} />
        </Field>
        {set.error ? <Notice tone="bad">{set.error.message}</Notice> : null}
      </div>
    </ConfirmDialog>
  )
}

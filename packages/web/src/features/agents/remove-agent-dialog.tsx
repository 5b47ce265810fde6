import type { LiveAgent } from '@carillon/contract/live-agents'
import { countOf } from '../../lib/format.ts'
import { useApiWrite } from '../../lib/use-api.ts'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { toast } from '../../ui/toast.tsx'
import { agentReads } from './agent-reads.ts'

type RemoveAgentDialogProps = { agent: LiveAgent; onClose: () => void; onRemoved: () => void }

/** Confirms the removal of an agent or the revocation of an invitation. */
export function RemoveAgentDialog({ agent, onClose, onRemoved }: RemoveAgentDialogProps) {
  const { _id, name, status, activeChats, role } = agent
  const isInvited = status === 'invited'
  const remove = useApiWrite('agents.remove', {
    refreshes: agentReads,
    onSuccess() {
      onClose()
      onRemoved()
      toast.success(isInvited ? `The invitation of ${name} was revoked` : `${name} was removed`)
    },
  })
  const open = activeChats === 0 ? '' : `${countOf(activeChats, 'open conversation')} will be unassigned. `
  const access = role === 'manager' ? '' : ' It loses access to Conversations.'
  return (
    <ConfirmDialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={isInvited ? `Revoke the invitation of ${name}?` : `Remove ${name}?`}
      description={isInvited ? 'The link in the email stops working.' : `${open}The account stays.${access}`}
      action={isInvited ? 'Revoke invitation' : 'Remove agent'}
      destructive
      loading={remove.isPending}
      onConfirm={() => remove.mutate({ path: { id: _id } })}
    >
      {remove.error ? <Notice tone="bad">{remove.error.message}</Notice> : null}
    </ConfirmDialog>
  )
}

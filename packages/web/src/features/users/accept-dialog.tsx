import type { Module } from '@carillon/contract/roles'
import { useState } from 'react'
import { useApiWrite } from '../../lib/use-api.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormRefusal } from '../../ui/form-refusal.tsx'
import { RadioGroup } from '../../ui/radio.tsx'
import { toast } from '../../ui/toast.tsx'
import { ModuleChoice } from './module-choice.tsx'
import { accountReads } from './reads.ts'
import type { ActionDialogProps } from './user-action.ts'

/** Accepts a registration, with account type and modules. */
export function AcceptDialog({ user, onClose }: ActionDialogProps) {
  const [type, setType] = useState<'manager' | 'user'>('manager')
  const [modules, setModules] = useState<Module[]>(['campaign', 'template'])
  const accept = useApiWrite('users.setStatus', {
    refreshes: accountReads,
    onSuccess() {
      onClose()
      toast.success(`${user.name} was accepted`)
    },
  })
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Accept ${user.name}`}
      description={`${user.email} registered and needs your approval.`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            loading={accept.isPending}
            onClick={() =>
              accept.mutate({ path: { userId: user._id }, body: { status: 'active', type, modules, reason: '' } })
            }
          >
            Accept account
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <RadioGroup
          label="Account type"
          value={type}
          onValueChange={setType}
          choices={[
            { value: 'manager', label: 'Organisation', help: 'Connects channels, adds people, manages money' },
            { value: 'user', label: 'Single user', help: 'Sends messages, manages no other accounts' },
          ]}
        />
        <ModuleChoice modules={modules} onChange={setModules} />
        <FormRefusal text={accept.error?.message} />
      </div>
    </Dialog>
  )
}

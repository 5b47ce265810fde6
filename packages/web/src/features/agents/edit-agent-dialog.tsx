import type { LiveAgent } from '@carillon/contract/live-agents'
import { useState, type FormEvent } from 'react'
import { fieldMessages, unplacedMessage, useApiWrite } from '../../lib/use-api.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormRefusal } from '../../ui/form-refusal.tsx'
import { toast } from '../../ui/toast.tsx'
import { agentReads } from './agent-reads.ts'
import { draftOf, setupOf } from './setup-draft.ts'
import { SetupFields } from './setup-fields.tsx'

/** Changes the skills, teams, lines and capacity of an agent. */
export function EditAgentDialog({ agent, onClose }: { agent: LiveAgent; onClose: () => void }) {
  const [draft, setDraft] = useState(() => draftOf(agent))
  const update = useApiWrite('agents.update', {
    refreshes: agentReads,
    onSuccess() {
      onClose()
      toast.success(`${agent.name} was changed`)
    },
  })
  const errors = fieldMessages(update.error)

  function submit(event: FormEvent) {
    event.preventDefault()
    update.mutate({ path: { id: agent._id }, body: setupOf(draft) })
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      width="medium"
      title={`Edit ${agent.name}`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form="edit-agent" variant="primary" loading={update.isPending}>
            Save agent
          </Button>
        </>
      }
    >
      <form id="edit-agent" noValidate onSubmit={submit} className="flex flex-col gap-4 pb-1">
        <SetupFields draft={draft} errors={errors} onChange={(patch) => setDraft({ ...draft, ...patch })} />
        <FormRefusal text={unplacedMessage(update.error, Object.keys(errors))} />
      </form>
    </Dialog>
  )
}

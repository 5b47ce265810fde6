import type { Team } from '@carillon/contract/inbox-settings'
import { useState, type FormEvent } from 'react'
import { channelLabel } from '../../channels/channel-mark.tsx'
import { fieldMessages, unplacedMessage, useApi, useApiWrite } from '../../lib/use-api.ts'
import { Button } from '../../ui/button.tsx'
import { Choices } from '../../ui/choices.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { FormRefusal } from '../../ui/form-refusal.tsx'
import { Input } from '../../ui/input.tsx'
import { toast } from '../../ui/toast.tsx'
import { agentReads } from './agent-reads.ts'

type TeamDialogProps = {
  /** Absent for a new one. */
  team?: Team
  onClose: () => void
}

const ids = (all: readonly { _id: string }[] | undefined): readonly string[] => (all ?? []).map(({ _id }) => _id)

/** The name, members and lines of a team. */
export function TeamDialog({ team, onClose }: TeamDialogProps) {
  const [name, setName] = useState(team?.name ?? '')
  const [memberIds, setMemberIds] = useState(ids(team?.members))
  const [lineIds, setLineIds] = useState(ids(team?.lines))
  const agents = useApi('agents.list', { query: { limit: 100 } })
  const lines = useApi('conversations.lines', {})
  const save = useSave(team, onClose)
  const errors = fieldMessages(save.error)

  function submit(event: FormEvent) {
    event.preventDefault()
    save.write({ name: name.trim(), memberIds: [...memberIds], lineIds: [...lineIds] })
  }
  const joined = agents.data?.agents.filter(({ status }) => status !== 'invited')
  return (
    <Dialog
      open
      onOpenChange={onClose}
      width="medium"
      title={team ? `Edit ${team.name}` : 'New team'}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form="team" variant="primary" loading={save.isPending}>
            {team ? 'Save team' : 'Create team'}
          </Button>
        </>
      }
    >
      <form id="team" noValidate onSubmit={submit} className="flex flex-col gap-4 pb-1">
        <Field label="Name" error={errors['name']}>
          <Input autoComplete="off" maxLength={120} value={name} onChange={({ target }) => setName(target.value)} />
        </Field>
        <Choices
          label="Members"
          error={errors['memberIds']}
          none="There are no agents yet."
          options={joined?.map((agent) => ({ id: agent._id, name: agent.name, detail: agent.email }))}
          failed={agents.error?.message}
          chosen={memberIds}
          onChange={setMemberIds}
        />
        <Choices
          label="Lines"
          help="Members see unassigned conversations of these lines, in addition to their own lines."
          error={errors['lineIds']}
          none="There are no numbers or bots yet."
          options={lines.data?.lines.map((line) => ({
            id: line._id,
            name: line.name,
            detail: channelLabel(line.channel),
          }))}
          failed={lines.error?.message}
          chosen={lineIds}
          onChange={setLineIds}
        />
        <FormRefusal text={unplacedMessage(save.error, Object.keys(errors))} />
      </form>
    </Dialog>
  )
}

type Body = { name: string; memberIds: string[]; lineIds: string[] }

function useSave(team: Team | undefined, onClose: () => void) {
  const options = {
    refreshes: agentReads,
    onSuccess({ name }: Team) {
      onClose()
      toast.success(`${name} was saved`)
    },
  }
  const create = useApiWrite('teams.create', options)
  const update = useApiWrite('teams.update', options)
  return {
    error: team ? update.error : create.error,
    isPending: create.isPending || update.isPending,
    write(body: Body) {
      if (team) update.mutate({ path: { id: team.id }, body })
      else create.mutate({ body })
    },
  }
}

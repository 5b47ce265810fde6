import { useState, type FormEvent } from 'react'
import type { CallData } from '../../lib/call.ts'
import { fieldMessages, unplacedMessage, useApiWrite } from '../../lib/use-api.ts'
import { Field } from '../../ui/field.tsx'
import { FormRefusal } from '../../ui/form-refusal.tsx'
import { Input } from '../../ui/input.tsx'
import { agentReads } from './agent-reads.ts'
import { RoleField, type AgentRole } from './role-field.tsx'
import { emptySetup, setupOf } from './setup-draft.ts'
import { setupFields, SetupFields } from './setup-fields.tsx'

type InviteAgentFormProps = { onInvited: (agent: CallData<'agents.invite'>) => void }

/** The invited person chooses username and password. */
export function InviteAgentForm({ onInvited }: InviteAgentFormProps) {
  const [person, setPerson] = useState({ email: '', name: '' })
  const [role, setRole] = useState<AgentRole>('user')
  const [setup, setSetup] = useState(emptySetup)
  const invite = useApiWrite('agents.invite', {
    refreshes: [...agentReads, 'invitations.list'],
    onSuccess: onInvited,
  })
  const errors = fieldMessages(invite.error)

  function submit(event: FormEvent) {
    event.preventDefault()
    invite.mutate({ body: { email: person.email.trim(), name: person.name, role, ...setupOf(setup) } })
  }
  return (
    <form id="add-agent" noValidate onSubmit={submit} className="flex flex-col gap-4 p-5">
      <Field label="Email" error={errors['email']} help="We’ll email a link that works once, within seven days.">
        <Input
          type="email"
          autoComplete="off"
          value={person.email}
          onChange={({ target }) => setPerson({ ...person, email: target.value })}
        />
      </Field>
      <Field label="Name" error={errors['name']}>
        <Input
          autoComplete="off"
          maxLength={120}
          value={person.name}
          onChange={({ target }) => setPerson({ ...person, name: target.value })}
        />
      </Field>
      <RoleField value={role} onChange={setRole} />
      <SetupFields draft={setup} errors={errors} onChange={(patch) => setSetup({ ...setup, ...patch })} />
      <FormRefusal text={unplacedMessage(invite.error, ['email', 'name', ...setupFields, ...Object.keys(errors)])} />
    </form>
  )
}

import { useState, type FormEvent } from 'react'
import type { CallData } from '../../lib/call.ts'
import { fieldMessages, unplacedMessage, useApi, useApiWrite } from '../../lib/use-api.ts'
import { Field } from '../../ui/field.tsx'
import { FormRefusal } from '../../ui/form-refusal.tsx'
import { Input } from '../../ui/input.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { Select } from '../../ui/select.tsx'
import { agentReads } from './agent-reads.ts'
import { agentRoleLabels } from './agent-labels.ts'
import { RoleField, type AgentRole } from './role-field.tsx'
import { emptySetup, setupOf } from './setup-draft.ts'
import { SetupFields } from './setup-fields.tsx'

type CreateAgentFormProps = {
  /** `username` as typed, of a new account. */
  onCreated: (agent: CallData<'agents.create'>, username: string | undefined) => void
}

type Person = { name: string; email: string; username: string }

/** Makes an account of the organisation an agent, or creates one with a one-time password. */
export function CreateAgentForm({ onCreated }: CreateAgentFormProps) {
  const [how, setHow] = useState<'new' | 'existing'>('new')
  const [accountId, setAccountId] = useState('')
  const [person, setPerson] = useState<Person>({ name: '', email: '', username: '' })
  const [role, setRole] = useState<AgentRole>('user')
  const [setup, setSetup] = useState(emptySetup)
  const create = useApiWrite('agents.create', {
    refreshes: [...agentReads, 'users.list'],
    onSuccess: (agent) => onCreated(agent, person.username.trim() || undefined),
  })
  const errors = fieldMessages(create.error)
  const [isMissing, setMissing] = useState(false)

  function submit(event: FormEvent) {
    event.preventDefault()
    setMissing(how === 'existing' && accountId === '')
    if (how === 'existing' && accountId === '') return
    const { name, email, username } = person
    const typed = { name, email: email.trim(), role, ...(username.trim() ? { username: username.trim() } : {}) }
    create.mutate({ body: { ...(how === 'new' ? typed : { accountId }), ...setupOf(setup) } })
  }
  return (
    <form id="add-agent" noValidate onSubmit={submit} className="flex flex-col gap-4 p-5">
      <Segmented
        label="Account"
        fill
        value={how}
        options={[
          { value: 'new', label: 'New account' },
          { value: 'existing', label: 'Existing account' },
        ]}
        onValueChange={setHow}
      />
      {how === 'new' ? (
        <>
          <PersonFields person={person} errors={errors} onChange={setPerson} />
          <RoleField value={role} onChange={setRole} />
        </>
      ) : (
        <AccountField
          value={accountId}
          error={isMissing ? 'Choose an account' : errors['accountId']}
          onChange={(id) => {
            setMissing(false)
            setAccountId(id)
          }}
        />
      )}
      <SetupFields draft={setup} errors={errors} onChange={(patch) => setSetup({ ...setup, ...patch })} />
      <FormRefusal text={unplacedMessage(create.error, Object.keys(errors))} />
    </form>
  )
}

type PersonFieldsProps = { person: Person; errors: Record<string, string>; onChange: (person: Person) => void }

function PersonFields({ person, errors, onChange }: PersonFieldsProps) {
  return (
    <>
      <Field label="Name" error={errors['name']}>
        <Input
          autoComplete="off"
          maxLength={120}
          value={person.name}
          onChange={({ target }) => onChange({ ...person, name: target.value })}
        />
      </Field>
      <Field label="Email" error={errors['email']}>
        <Input
          type="email"
          autoComplete="off"
          value={person.email}
          onChange={({ target }) => onChange({ ...person, email: target.value })}
        />
      </Field>
      <Field
        label="Username"
        hint="optional"
        error={errors['username']}
        help="We’ll show a one-time password after the account is created."
      >
        <Input
          autoComplete="off"
          autoCapitalize="none"
          value={person.username}
          onChange={({ target }) => onChange({ ...person, username: target.value })}
        />
      </Field>
    </>
  )
}

type AccountFieldProps = { value: string; error: string | undefined; onChange: (id: string) => void }

const most = 100

function AccountField({ value, error, onChange }: AccountFieldProps) {
  const users = useApi('users.list', {
    query: { type: 'user,department_head', status: 'active', sort: 'name', direction: 'asc', limit: most },
  })
  const options = users.data?.users.map(({ _id, name, type }) => ({
    value: _id,
    label: `${name} · ${agentRoleLabels[type]}`,
  }))
  return (
    <Field
      label="Account"
      error={error ?? users.error?.message}
      help="It gets access to Conversations, if it does not have it yet."
    >
      <Select
        value={value}
        disabled={!options?.length}
        placeholder={
          options === undefined ? 'Loading…' : options.length === 0 ? 'No accounts yet' : 'Choose an account'
        }
        options={options ?? []}
        onValueChange={onChange}
      />
    </Field>
  )
}

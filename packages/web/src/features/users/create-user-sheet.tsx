import type { Registered } from '@carillon/contract/users'
import type { Module, Role } from '@carillon/contract/roles'
import { useState, type FormEvent } from 'react'
import { fieldMessages, unplacedMessage, useApi, useApiWrite } from '../../lib/use-api.ts'
import { useUser } from '../../lib/session.ts'
import { typedPhone } from '../../lib/typed-phone.ts'
import { Button } from '../../ui/button.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { Field } from '../../ui/field.tsx'
import { FormRefusal } from '../../ui/form-refusal.tsx'
import { Input } from '../../ui/input.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Select } from '../../ui/select.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { Switch } from '../../ui/switch.tsx'
import { toast } from '../../ui/toast.tsx'
import { DepartmentField } from './department-field.tsx'
import { ModuleChoice } from './module-choice.tsx'
import { accountReads, moneyReads } from './reads.ts'
import type { Scope } from './users-view.ts'
import { roleLabels } from './user-labels.ts'

type CreateUserSheetProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  scope: Pick<Scope, 'kinds' | 'create' | 'ownBalance'>
}

/** A new account: name, permissions, and initial balance. */
export function CreateUserSheet({ open, onOpenChange, scope }: CreateUserSheetProps) {
  const [made, setMade] = useState<Registered>()
  function close() {
    setMade(undefined)
    onOpenChange(false)
  }
  return (
    <Sheet
      open={open}
      onOpenChange={(next) => (next ? onOpenChange(true) : close())}
      title={scope.create}
      footer={
        made ? (
          <Button variant="primary" className="ml-auto" onClick={close}>
            Done
          </Button>
        ) : (
          <Button type="submit" form="create-user" variant="primary" className="ml-auto">
            {scope.create}
          </Button>
        )
      }
    >
      {made ? <Made made={made} /> : <CreateForm scope={scope} onMade={setMade} onClose={close} />}
    </Sheet>
  )
}

type Draft = {
  type: Role
  organization: string
  name: string
  email: string
  username: string
  phone: string
  balance: string
  ownBalance: boolean
  /** The department head it is assigned to; none: directly below the organisation. */
  department: string
  modules: Module[]
}

type CreateFormProps = Pick<CreateUserSheetProps, 'scope'> & {
  onMade: (made: Registered) => void
  onClose: () => void
}

function CreateForm({ scope: { kinds, ownBalance }, onMade, onClose }: CreateFormProps) {
  const [draft, setDraft] = useState<Draft>({
    type: kinds[0] ?? 'user',
    organization: '',
    name: '',
    email: '',
    username: '',
    phone: '',
    balance: '',
    ownBalance: ownBalance ?? false,
    department: '',
    modules: ['campaign', 'template'],
  })
  const own = useApi('permissions.list', {})
  const create = useApiWrite('auth.register', {
    refreshes: [...accountReads, ...moneyReads],
    onSuccess(made) {
      if (made.temporaryPassword) return onMade(made)
      toast.success(`${draft.name.trim()} was created`, {
        description: `We emailed a password link to ${made.email}`,
      })
      return onClose()
    },
  })
  const wrong = fieldMessages(create.error)
  const unplaced = unplacedMessage(create.error, ['name', 'email', 'username', 'phone', 'balance', 'parentId'])
  const set = (patch: Partial<Draft>) => setDraft({ ...draft, ...patch })

  function submit(event: FormEvent) {
    event.preventDefault()
    create.mutate({ body: bodyOf(draft) })
  }

  return (
    <form id="create-user" noValidate onSubmit={submit} className="flex flex-col gap-4 p-5">
      {kinds.length > 1 ? (
        <Field label="Type">
          <Select
            value={draft.type}
            options={kinds.map((value) => ({ value, label: roleLabels[value] }))}
            onValueChange={(type) => set({ type })}
          />
        </Field>
      ) : null}
      {draft.type === 'user' ? (
        <DepartmentField
          value={draft.department}
          error={wrong['parentId']}
          onValueChange={(department) => set({ department })}
        />
      ) : null}
      <Identity draft={draft} wrong={wrong} set={set} />
      <Money draft={draft} wrong={wrong} set={set} isOwn={ownBalance} />
      {draft.type === 'reseller' ? null : (
        <ModuleChoice
          modules={draft.modules}
          mayGrant={own.data?.modulePermissions.map(({ moduleName }) => moduleName)}
          onChange={(modules) => set({ modules })}
        />
      )}
      <FormRefusal text={unplaced} />
    </form>
  )
}

type PartProps = { draft: Draft; wrong: Record<string, string>; set: (patch: Partial<Draft>) => void }

function Identity({ draft, wrong, set }: PartProps) {
  const founds = draft.type === 'manager' || draft.type === 'reseller'
  return (
    <>
      <Field label={founds ? 'Business name' : 'Name'} error={wrong['name']}>
        <Input autoComplete="off" value={draft.name} onChange={({ target }) => set({ name: target.value })} />
      </Field>
      <Field
        label="Email"
        error={wrong['email']}
        help="We’ll email a link to set a password. If email isn’t configured, we’ll show a temporary password."
      >
        <Input
          type="email"
          autoComplete="off"
          value={draft.email}
          onChange={({ target }) => set({ email: target.value })}
        />
      </Field>
      <div className="grid gap-4 md:grid-cols-2">
        <Field label="Username" hint="optional" error={wrong['username']}>
          <Input
            autoComplete="off"
            autoCapitalize="none"
            value={draft.username}
            onChange={({ target }) => set({ username: target.value })}
          />
        </Field>
        <Field label="Mobile" hint="optional" error={wrong['phone']}>
          <Input
            type="tel"
            autoComplete="off"
            placeholder="+91 98765 43210"
            value={draft.phone}
            onChange={({ target }) => set({ phone: target.value })}
          />
        </Field>
      </div>
    </>
  )
}

function Money({ draft, wrong, set, isOwn }: PartProps & { isOwn: true | undefined }) {
  const me = useUser()
  const joins = draft.type === 'user' || draft.type === 'department_head'
  return (
    <>
      {joins && !isOwn ? (
        <div className="flex items-center gap-4">
          <div className="min-w-0 flex-1">
            <p className="font-medium">Separate balance</p>
            <p className="text-dense text-muted-foreground">Otherwise it uses the organisation’s balance.</p>
          </div>
          <Switch
            label="Separate balance"
            checked={draft.ownBalance}
            onCheckedChange={(ownBalance) => set({ ownBalance })}
          />
        </div>
      ) : null}
      {joins && !draft.ownBalance ? null : (
        <Field
          label="Opening balance"
          hint="optional"
          error={wrong['balance']}
          help={me?.type === 'admin' ? 'Added right away.' : 'Moved from your balance right away.'}
        >
          <Input
            inputMode="decimal"
            autoComplete="off"
            leading={
              <span aria-hidden className="text-muted-foreground">
                ₹
              </span>
            }
            value={draft.balance}
            onChange={({ target }) => set({ balance: target.value })}
          />
        </Field>
      )}
    </>
  )
}

/** The temporary password, shown once. */
function Made({ made }: { made: Registered }) {
  return (
    <div className="flex flex-col gap-4 p-5">
      <Notice tone="info">{made.username} was created. Hand over the password; it is shown only now.</Notice>
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-6 gap-y-2 [&_dt]:text-muted-foreground">
        <dt>Username</dt>
        <dd>{made.username}</dd>
        <dt>Password</dt>
        <dd>
          <Copyable text={made.temporaryPassword ?? ''} label="Copy the password" />
        </dd>
      </dl>
      <p className="text-muted-foreground">It must be changed at the first login.</p>
    </div>
  )
}

function bodyOf({ organization, username, phone, balance, ownBalance, department, modules, ...rest }: Draft) {
  const rupees = Number(balance.replaceAll(/[\s,₹]/g, ''))
  const joins = rest.type === 'user' || rest.type === 'department_head'
  return {
    ...rest,
    ...(username.trim() ? { username: username.trim() } : {}),
    ...(phone.trim() ? { phone: typedPhone(phone) } : {}),
    ...(organization ? { organization } : {}),
    // Invalid numbers are rejected by the server, with an error of the field.
    ...(rupees !== 0 && (!joins || ownBalance) ? { balance: rupees } : {}),
    ...(joins ? { ownBalance } : {}),
    ...(rest.type === 'user' && department ? { parentId: department } : {}),
    ...(rest.type === 'reseller' ? {} : { modules }),
  }
}

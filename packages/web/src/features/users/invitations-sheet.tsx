import type { Invitation } from '@carillon/contract/users'
import type { Module, Role } from '@carillon/contract/roles'
import { MailPlus } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import type { CallData } from '../../lib/call.ts'
import { formatDate } from '../../lib/format.ts'
import { fieldMessages, unplacedMessage, useApi, useApiWrite } from '../../lib/use-api.ts'
import { Button } from '../../ui/button.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Field } from '../../ui/field.tsx'
import { FormRefusal } from '../../ui/form-refusal.tsx'
import { Input } from '../../ui/input.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Pill, type Tone } from '../../ui/pill.tsx'
import { Region } from '../../ui/region.tsx'
import { Select } from '../../ui/select.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { toast } from '../../ui/toast.tsx'
import { DepartmentField } from './department-field.tsx'
import { ModuleChoice } from './module-choice.tsx'
import { roleLabels } from './user-labels.ts'

type InvitationsSheetProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  kinds: readonly Role[]
  /** New accounts get their own balance. */
  ownBalance?: true | undefined
}

type SentInvitation = CallData<'invitations.create'>

/** Invites people by email and lists the invitations. */
export function InvitationsSheet({ open, onOpenChange, kinds, ownBalance }: InvitationsSheetProps) {
  const [sent, setSent] = useState<SentInvitation>()
  return (
    <Sheet open={open} onOpenChange={onOpenChange} title="Invitations">
      <InviteForm kinds={kinds} ownBalance={ownBalance} onSent={setSent} />
      <Invitations sent={sent} onSent={setSent} />
    </Sheet>
  )
}

type InviteFormProps = Pick<InvitationsSheetProps, 'kinds' | 'ownBalance'> & {
  onSent: (invitation: SentInvitation) => void
}

function InviteForm({ kinds, ownBalance, onSent }: InviteFormProps) {
  const [email, setEmail] = useState('')
  const [type, setType] = useState<Role>(kinds[0] ?? 'user')
  const [department, setDepartment] = useState('')
  const [modules, setModules] = useState<Module[]>(['campaign', 'template'])
  const own = useApi('permissions.list', {})
  const invite = useApiWrite('invitations.create', {
    refreshes: ['invitations.list'],
    onSuccess(invitation) {
      setEmail('')
      onSent(invitation)
    },
  })
  const wrong = fieldMessages(invite.error)
  const unplaced = unplacedMessage(invite.error, ['email', 'parentId'])

  function submit(event: FormEvent) {
    event.preventDefault()
    invite.mutate({
      body: {
        email: email.trim(),
        type,
        modules: type === 'reseller' ? [] : modules,
        ...(ownBalance ? { ownBalance } : {}),
        ...(type === 'user' && department ? { parentId: department } : {}),
      },
    })
  }

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4 border-b border-border p-5">
      <div className="grid gap-4 md:grid-cols-[1fr_10rem]">
        <Field label="Email" error={wrong['email']}>
          <Input type="email" autoComplete="off" value={email} onChange={({ target }) => setEmail(target.value)} />
        </Field>
        <Field label="As">
          <Select
            value={type}
            options={kinds.map((value) => ({ value, label: roleLabels[value] }))}
            onValueChange={setType}
          />
        </Field>
      </div>
      {type === 'user' ? (
        <DepartmentField value={department} error={wrong['parentId']} onValueChange={setDepartment} />
      ) : null}
      {type === 'reseller' ? null : (
        <ModuleChoice
          modules={modules}
          mayGrant={own.data?.modulePermissions.map(({ moduleName }) => moduleName)}
          onChange={setModules}
        />
      )}
      <FormRefusal text={unplaced} />
      <Button type="submit" variant="primary" className="self-start" loading={invite.isPending}>
        <MailPlus aria-hidden /> Send invitation
      </Button>
    </form>
  )
}

function InvitationLink({ invitation: { email, link } }: { invitation: SentInvitation }) {
  return (
    <Notice tone="info">
      {link ? (
        <span className="flex flex-col gap-1">
          Email isn’t configured. Share this link; it works once.
          <Copyable text={link} label="Copy the link" />
        </span>
      ) : (
        `We emailed an invitation to ${email}.`
      )}
    </Notice>
  )
}

const tones: Record<Invitation['status'], { label: string; tone: Tone }> = {
  open: { label: 'Pending', tone: 'info' },
  accepted: { label: 'Accepted', tone: 'good' },
  revoked: { label: 'Revoked', tone: 'neutral' },
  expired: { label: 'Expired', tone: 'care' },
}

type InvitationsProps = { sent: SentInvitation | undefined; onSent: (invitation: SentInvitation) => void }

/** The result is shown above the list: above the button, it would move the button. */
function Invitations({ sent, onSent }: InvitationsProps) {
  const invitations = useApi('invitations.list', { query: { limit: 50 } })
  const resend = useApiWrite('invitations.resend', {
    refreshes: ['invitations.list'],
    onSuccess: onSent,
    onError: ({ message }) => toast.error(message),
  })
  const revoke = useApiWrite('invitations.revoke', {
    refreshes: ['invitations.list'],
    onSuccess: () => toast.success('Invitation revoked'),
    onError: ({ message }) => toast.error(message),
  })
  return (
    <Region read={invitations} label="invitations" lines={4}>
      {(data) =>
        data.invitations.length === 0 ? (
          <Empty icon={MailPlus} title="No pending invitations">
            People you invite choose their own username and password.
          </Empty>
        ) : (
          <ul className="px-5 py-2">
            {sent ? (
              <li className="py-2">
                <InvitationLink invitation={sent} />
              </li>
            ) : null}
            {data.invitations.map(({ _id, email, type, status, expiresAt }) => (
              <li key={_id} className="flex min-h-14 items-center gap-3 border-b border-line py-2 last:border-0">
                <div className="min-w-0 flex-1">
                  <b className="block font-medium wrap-anywhere">{email}</b>
                  <small className="text-caption text-muted-foreground">
                    {roleLabels[type]} · until {formatDate(expiresAt)}
                  </small>
                </div>
                <Pill tone={tones[status].tone}>{tones[status].label}</Pill>
                {status === 'open' || status === 'expired' ? (
                  <Button size="tool" variant="ghost" onClick={() => resend.mutate({ path: { id: _id } })}>
                    Send again<span className="sr-only"> to {email}</span>
                  </Button>
                ) : null}
                {status === 'open' ? (
                  <Button size="tool" variant="ghost" onClick={() => revoke.mutate({ path: { id: _id } })}>
                    Revoke<span className="sr-only"> the invitation of {email}</span>
                  </Button>
                ) : null}
              </li>
            ))}
          </ul>
        )
      }
    </Region>
  )
}

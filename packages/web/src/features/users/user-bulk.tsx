import type { AccountStatus } from '@carillon/contract/accounts'
import type { ManagedUser } from '@carillon/contract/users'
import { CircleCheck, Lock, PauseCircle, type LucideIcon } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../lib/call.ts'
import { countOf } from '../../lib/format.ts'
import { accountsStopped } from '../../lib/campaign-effects.ts'
import { CampaignsAffected } from '../../ui/campaigns-affected.tsx'
import { BulkWrite } from '../../ui/data-screen/bulk-write.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { countAffected } from './affected-accounts.ts'
import { accountReads } from './reads.ts'

type Change = {
  label: string
  icon: LucideIcon
  status: 'suspended' | 'locked' | 'active'
  from: readonly AccountStatus[]
  effect: (accounts: string) => string
}

const changes: readonly Change[] = [
  {
    label: 'Suspend',
    icon: PauseCircle,
    status: 'suspended',
    from: ['active'],
    effect: (accounts) => `${accounts} can sign in but not send. Running campaigns pause immediately.`,
  },
  {
    label: 'Lock',
    icon: Lock,
    status: 'locked',
    from: ['active'],
    effect: (accounts) => `${accounts} cannot sign in any more and open sessions end; nothing is sent.`,
  },
  {
    label: 'Reactivate',
    icon: CircleCheck,
    status: 'active',
    from: ['suspended', 'locked'],
    effect: () => 'Sign-in and sending are possible again; campaigns that were paused for this resume.',
  },
]

const standing: Record<AccountStatus, string> = {
  pending: 'Registration not accepted yet',
  active: 'Already active',
  suspended: 'Suspended',
  locked: 'Locked',
  closed: 'Closed',
}

type UserBulkProps = { users: readonly ManagedUser[]; onDone: () => void }

/** Suspends, locks or reactivates several accounts. */
export function UserBulk({ users, onDone }: UserBulkProps) {
  return changes.map((change) => <StatusBulk key={change.status} change={change} users={users} onDone={onDone} />)
}

function StatusBulk({ change, users, onDone }: UserBulkProps & { change: Change }) {
  const { label, icon, status, from, effect } = change
  const [reason, setReason] = useState('')
  const possible = users.filter((user) => from.includes(user.status))
  return (
    <BulkWrite
      rows={users}
      nameOf={({ name }) => name}
      words={{
        label,
        icon,
        title: (count) => `${label} ${countOf(count, 'account')}?`,
        effect: effect(accountsOf(possible)),
        action: (count) => `${label} ${countOf(count, 'account')}`,
        isHarmless: status === 'active',
      }}
      refusal={(user) => (from.includes(user.status) ? undefined : standing[user.status])}
      write={({ _id }, options) =>
        call('users.setStatus', { path: { userId: _id }, body: { status, reason } }, options)
      }
      refreshes={accountReads}
      onDone={onDone}
      onlyIfPossible
    >
      <div className="flex flex-col gap-3">
        {status === 'active' ? null : (
          <CampaignsAffected
            needed={{ need: 'account', ids: possible.map(({ _id }) => _id).join(',') }}
            effects={accountsStopped}
            pronoun={possible.length > 1 ? 'them' : 'it'}
          />
        )}
        <Field label="Reason" hint="optional" help="Sent to each account and recorded in the audit log.">
          <Input maxLength={300} value={reason} onChange={({ target }) => setReason(target.value)} />
        </Field>
      </div>
    </BulkWrite>
  )
}

/** The number of selected accounts and everyone below them. */
function accountsOf(users: readonly ManagedUser[]): string {
  const affected = countAffected(users)
  const [one, below] = users.length === 1 ? ['It', 'it'] : ['They', 'them']
  return affected > users.length ? `${one} and everyone below ${below}, ${countOf(affected, 'account')} in all,` : one
}

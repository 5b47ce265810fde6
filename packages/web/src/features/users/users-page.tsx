import { useUser } from '../../lib/session.ts'
import { useApi } from '../../lib/use-api.ts'
import { formatMoney } from '../../lib/format.ts'
import { UsersScreen } from './users-screen.tsx'
import type { Scope } from './users-view.ts'

const scopes: Record<'admin' | 'reseller' | 'manager', Scope> = {
  admin: {
    title: 'Users Management',
    noun: 'accounts',
    kinds: ['reseller', 'manager'],
    create: 'Create account',
    empty: {
      title: 'Create the first account',
      text: 'Resellers manage their own customers; organisations send messages.',
    },
  },
  reseller: {
    title: 'Users Management',
    noun: 'accounts',
    kinds: ['manager', 'reseller'],
    create: 'Create account',
    empty: {
      title: 'Create your first customer account',
      text: 'An organisation gets a balance, connects its channels and sends.',
    },
  },
  manager: {
    title: 'User Administration',
    noun: 'people',
    kinds: ['user', 'department_head'],
    create: 'Add user',
    empty: {
      title: 'Add the first person',
      text: 'Each person signs in with their own login and uses what you allow.',
    },
  },
}

/** The accounts below the user's: customers for admins and resellers, people for an organisation. */
export function UsersPage() {
  const user = useUser()
  if (user?.type !== 'admin' && user?.type !== 'reseller' && user?.type !== 'manager') return null
  return <UsersScreen scope={scopes[user.type]} actions={user.type === 'reseller' ? <OwnBalance /> : undefined} />
}

function OwnBalance() {
  const balance = useApi('balance.get', {}, { refetchInterval: 30_000 })
  if (!balance.data) return null
  return (
    <span className="text-dense text-muted-foreground tabular-nums max-xl:hidden">
      My balance <b className="font-medium text-foreground">{formatMoney(balance.data.balance)}</b>
    </span>
  )
}

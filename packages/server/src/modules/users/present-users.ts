import type { PendingEmail } from '@carillon/contract/accounts'
import { Channel } from '@carillon/contract/channels'
import type { ManagedUser } from '@carillon/contract/users'
import { Module } from '@carillon/contract/roles'
import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'
import type { UserActor } from '../../actor.ts'
import { findEnterable, usesEveryModule, type AccountRow } from '../accounts/index.ts'
import { toRupees } from '../balance/index.ts'

/** Accounts as shown to those above them; related data is read for all at once. */
export async function presentUsers(db: Db, actor: UserActor, rows: readonly AccountRow[]): Promise<ManagedUser[]> {
  if (rows.length === 0) return []
  const beside = await readBeside(db, rows)
  const enterable = new Set(
    await findEnterable(
      db,
      actor,
      rows.map(({ id }) => id),
    ),
  )
  return rows.map((row) => ({
    ...presentRow(row),
    ...presentBeside(row, beside.get(row.id) ?? nothing),
    mayOpen: enterable.has(row.id),
  }))
}

function presentRow(row: AccountRow) {
  return {
    _id: row.id,
    username: row.username,
    email: row.email,
    name: row.name,
    phone: row.phone ?? undefined,
    type: row.role,
    status: row.status,
    isFirstLogin: row.is_first_login,
    hasSecondFactor: row.totp_confirmed_at !== null,
    parentId: row.parent_id ?? undefined,
    createdAt: row.created_at.toISOString(),
    lastActiveAt: row.last_active_at?.toISOString(),
  }
}

function presentBeside(
  row: AccountRow,
  { modules, grantedModules, figures, balance, names, aboveIds, pendingEmail }: Beside,
) {
  // Accounts that use their organisation's balance show none.
  const own = balance ?? (row.organization_id === row.id ? 0 : undefined)
  return {
    pendingEmail,
    organization: names.organization ?? row.name,
    parentName: names.parent ?? undefined,
    aboveIds,
    balance: own === undefined ? undefined : toRupees(own),
    modules: usesEveryModule(row.role) ? [...Module.options] : modules,
    grantedModules: usesEveryModule(row.role) ? [...Module.options] : grantedModules,
    channels: Channel.options.filter((channel) => figures.channels[channel] === true),
    accountCount: figures.accountCount,
    spentLast7Days: toRupees(figures.spent),
  }
}

export async function presentUser(db: Db, actor: UserActor, row: AccountRow): Promise<ManagedUser> {
  const [user] = await presentUsers(db, actor, [row])
  if (!user) throw new Error('one row presents one user')
  return user
}

type Beside = {
  modules: Module[]
  grantedModules: Module[]
  figures: { accountCount: number; spent: number; channels: Record<string, boolean> }
  balance: number | null
  names: { organization: string | null; parent: string | null }
  aboveIds: string[]
  pendingEmail: PendingEmail | undefined
}

const nothing: Beside = {
  modules: [],
  grantedModules: [],
  figures: { accountCount: 0, spent: 0, channels: {} },
  balance: null,
  names: { organization: null, parent: null },
  aboveIds: [],
  pendingEmail: undefined,
}

async function readBeside(db: Db, rows: readonly AccountRow[]): Promise<Map<string, Beside>> {
  const { rows: found } = await sql<{
    id: string
    modules: string[]
    granted: string[]
    account_count: number
    spent: number
    channels: Record<string, boolean>
    balance: number | null
    organization: string | null
    parent: string | null
    above: string[]
    pending_email: string | null
    pending_until: Date | null
  }>`
    select account.id, figures.account_count, figures.spent, figures.channels, balance.posted - balance.held as balance,
      effective_modules(account.id) as modules,
      array(select module from account_modules own
        where own.organization_id = account.organization_id and own.account_id = account.id order by module) as granted,
      organization_name(account.organization_id) as organization, name_above(account.parent_id) as parent,
      array(select above.id from accounts above where above.path @> account.path and above.id <> account.id) as above,
      pending.new_email::text as pending_email, pending.expires_at as pending_until
    from accounts account
    join account_figures(${rows.map(({ id }) => id)}::uuid[]) figures on figures.account_id = account.id
    left join ledger_accounts balance on balance.organization_id = account.organization_id
      and balance.account_id = account.id and balance.kind = 'balance' and balance.closed_at is null
    left join email_changes pending on pending.organization_id = account.organization_id and pending.account_id = account.id
      and pending.applied_at is null and pending.ended_at is null and pending.expires_at > now()`.execute(db)
  return new Map(
    found.map((row) => [
      row.id,
      {
        modules: row.modules.map((module) => Module.parse(module)),
        grantedModules: row.granted.map((module) => Module.parse(module)),
        figures: { accountCount: row.account_count, spent: row.spent, channels: row.channels },
        balance: row.balance,
        names: { organization: row.organization, parent: row.parent },
        aboveIds: row.above,
        pendingEmail:
          row.pending_email && row.pending_until
            ? { email: row.pending_email, expiresAt: row.pending_until.toISOString() }
            : undefined,
      },
    ]),
  )
}

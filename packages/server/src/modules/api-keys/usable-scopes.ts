import { endpoints, type Endpoint } from '@carillon/contract'
import { ApiScope } from '@carillon/contract/api-scopes'
import type { UserActor } from '../../actor.ts'
import { badField } from '../../lib/problem.ts'

const calls: readonly Endpoint[] = Object.values(endpoints)

/** The scopes with at least one call that the account's role and modules allow. */
export function usableScopes({ role, modules }: Pick<UserActor, 'role' | 'modules'>): ApiScope[] {
  const mayCall = ({ roles, module }: Endpoint) => roles.includes(role) && (!module || modules.has(module))
  return ApiScope.options.filter((scope) => calls.some((call) => call.scope === scope && mayCall(call)))
}

export function assertUsable(actor: Pick<UserActor, 'role' | 'modules'>, scopes: readonly ApiScope[]): void {
  const usable = new Set(usableScopes(actor))
  const others = scopes.filter((scope) => !usable.has(scope))
  if (others.length > 0) throw badField('scopes', `Your role and modules do not allow ${others.join(', ')}`)
}

import { apiScopeLabels, type ApiScope } from '@carillon/contract/api-scopes'
import { routes } from '@carillon/contract/routes.gen'
import type { Module, Role } from '@carillon/contract/roles'

type Resource = ApiScope extends `${infer Name}:${string}` ? Name : never

const resourceLabels: Record<Resource, string> = {
  messages: 'Messages',
  otp: 'One-time passwords',
  campaigns: 'Campaigns',
  contacts: 'Contacts',
  templates: 'Templates',
  chats: 'Conversations',
  media: 'Media',
  reports: 'Reports',
  balance: 'Balance',
  events: 'Events',
  webhooks: 'Webhooks',
}

export type ScopeGroup = { label: string; scopes: readonly ApiScope[] }

const resourceOf = (scope: ApiScope) => scope.slice(0, scope.indexOf(':'))

// The keys of the table are the scopes.
const scopes = Object.keys(apiScopeLabels) as ApiScope[]

/** Every scope, by what it is about. */
export const scopeGroups: readonly ScopeGroup[] = Object.entries(resourceLabels).map(([resource, label]) => ({
  label,
  scopes: scopes.filter((scope) => resourceOf(scope) === resource),
}))

type Call = { roles: readonly Role[] | 'public' | 'session'; module?: Module; scope?: ApiScope }

const calls: readonly Call[] = Object.values(routes)

/** The scopes with at least one call that the role and the modules allow. The server refuses others. */
export function usableScopes(role: Role, modules: readonly Module[]): ReadonlySet<ApiScope> {
  const mayCall = ({ roles, module }: Call) =>
    roles !== 'public' && roles !== 'session' && roles.includes(role) && (!module || modules.includes(module))
  return new Set(scopes.filter((scope) => calls.some((call) => call.scope === scope && mayCall(call))))
}

/** What most programs need: messages, their templates, and the balance. */
const defaults: readonly string[] = ['messages', 'balance'] satisfies readonly Resource[]

export function defaultScopes(usable: ReadonlySet<ApiScope>): ApiScope[] {
  const wanted = (scope: ApiScope) => defaults.includes(resourceOf(scope)) || scope === 'templates:read'
  return scopes.filter((scope) => usable.has(scope) && wanted(scope))
}

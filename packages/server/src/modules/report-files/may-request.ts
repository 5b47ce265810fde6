import { factsOfType, type ReportChannel, type ReportType } from '@carillon/contract/report-file-records'
import { Module, type Role } from '@carillon/contract/roles'
import { sql } from 'kysely'
import type { UserActor } from '../../actor.ts'
import type { Db } from '../../db/pool.ts'
import { badField, Problem } from '../../lib/problem.ts'
import { usesEveryModule } from '../accounts/index.ts'

type Named = { type?: ReportType | undefined; detailedCampaignReport: boolean }
type Limited = Named & { channel: ReportChannel; campaignId: string }
type Requester = Pick<UserActor, 'role' | 'modules' | 'apiKey'>

export function typeOf({ type, detailedCampaignReport }: Named): ReportType {
  return type ?? (detailedCampaignReport ? 'campaign_detailed' : 'campaign_summary')
}

/** Why an account may not have a report of a type. */
export function refusalOf({ role, modules, apiKey }: Requester, type: ReportType): Problem | undefined {
  const { roles, module, keyScope, title } = factsOfType(type)
  if (!roles.includes(role)) return new Problem('forbidden', `The report ${title} is not available to your role`)
  if (module && !modules.has(module))
    return new Problem('module_forbidden', `The report ${title} needs the module ${module}`)
  if (!apiKey || keyScope === undefined) return undefined
  if (keyScope === null) return new Problem('forbidden', `The report ${title} is not available to API keys`)
  return apiKey.scopes.has(keyScope)
    ? undefined
    : new Problem('scope_missing', `The report ${title} needs an API key with the scope ${keyScope}`)
}

/** Also of a report that is read: it contains what other calls return only to these. */
export function assertMayHave(actor: Requester, type: ReportType): void {
  const refusal = refusalOf(actor, type)
  if (refusal) throw refusal
}

/** Whether an account may request a type, with these limits. */
export function assertType(actor: Requester, request: Limited): void {
  const type = typeOf(request)
  assertMayHave(actor, type)
  const { filters, title } = factsOfType(type)
  if (request.channel !== 'all' && !filters.includes('channel'))
    throw badField('channel', `The report ${title} covers all channels: choose all`)
  if (request.campaignId !== 'all' && !filters.includes('campaign'))
    throw badField('campaignId', `The report ${title} covers all campaigns: choose all`)
}

/** What an account may do now, without a session. */
export async function readRequester(db: Db, { id, role }: { id: string; role: Role }): Promise<Requester> {
  if (usesEveryModule(role)) return { role, modules: new Set(Module.options) }
  const { rows } = await sql<{ modules: string[] }>`select effective_modules(${id}::uuid) as modules`.execute(db)
  return { role, modules: new Set((rows[0]?.modules ?? []).map((name) => Module.parse(name))) }
}

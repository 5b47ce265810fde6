import { sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import type { Db } from '../../db/pool.ts'

export type AuditLine = {
  organizationId: string
  /** The actor; undefined for automatic actions. */
  actorId: string | undefined
  /** The account acted on, if not the actor's own. */
  subjectId?: string | undefined
  /** Dotted, past tense: 'session.started', 'campaign.started'. */
  action: string
  object?: { type: string; id: string }
  /** The API key that the actor used. */
  apiKey?: string | undefined
  details?: Record<string, string | number | boolean | null>
}

/** Appends an entry to the organisation's hash chain, in the transaction of the action. */
export async function recordAudit(db: Db, line: AuditLine): Promise<void> {
  const details = { ...line.details, ...(line.apiKey ? { apiKey: line.apiKey } : {}) }
  await sql`select append_audit(${line.organizationId}::uuid, ${line.actorId ?? null}::uuid, ${line.subjectId ?? null}::uuid,
    ${line.action}, ${line.object?.type ?? null}, ${line.object?.id ?? null}, ${JSON.stringify(details)}::jsonb)`.execute(
    db,
  )
}

/** Actor and account of an action, including impersonation, and the API key. */
export function whoActs(actor: Actor): Pick<AuditLine, 'actorId' | 'subjectId' | 'apiKey'> {
  if (actor.kind === 'system') return { actorId: undefined }
  return actor.impersonatedBy
    ? { actorId: actor.impersonatedBy, subjectId: actor.accountId }
    : { actorId: actor.accountId, apiKey: actor.apiKey?.prefix }
}

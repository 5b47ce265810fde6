import type { WhatsappDraft } from '@carillon/contract/whatsapp-campaigns'
import {
  WhatsappCategory,
  WhatsappTemplateContent,
  WhatsappTemplateStatus,
} from '@carillon/contract/whatsapp-templates'
import type { Selectable } from 'kysely'
import type { Db } from '../../../db/pool.ts'
import { ofOrganization, type Scope } from '../../../db/scope.ts'
import type { Senders, Templates } from '../../../db/schema.ts'
import { badField, notFound } from '../../../lib/problem.ts'
import type { AudienceRow } from '../../audience/index.ts'
import { loadAudience } from '../checks/estimate.ts'
import { loadSmsBranch, type SmsBranch } from '../planning/sms-branch.ts'

/** The number a WhatsApp campaign is sent from, as far as a campaign needs to know it. */
export type NumberRow = Pick<
  Selectable<Senders>,
  'id' | 'name' | 'headers' | 'rate_per_second' | 'is_active' | 'provider_account_id' | 'facts'
>

export type WhatsappTemplateRow = Selectable<Templates>

/** What a WhatsApp draft names, loaded. */
export type WhatsappChoices = {
  draft: WhatsappDraft
  number: NumberRow
  template: WhatsappTemplateRow
  content: WhatsappTemplateContent
  category: WhatsappCategory
  status: WhatsappTemplateStatus
  audience: AudienceRow
  /** Where those go whom WhatsApp does not reach. */
  failover: SmsBranch | undefined
}

/** Loads all that a draft names; says what is still to be chosen. */
export async function loadWhatsappChoices(db: Db, scope: Scope, draft: WhatsappDraft): Promise<WhatsappChoices> {
  if (!draft.numberId) throw badField('numberId', 'Choose a number first')
  if (!draft.templateId) throw badField('templateId', 'Choose a template first')
  const number = await findNumber(db, scope, draft.numberId)
  if (!number) throw notFound('Number')
  const template = await findWhatsappTemplate(db, scope, draft.templateId)
  if (!template) throw notFound('Template')
  return {
    draft,
    number,
    template,
    content: WhatsappTemplateContent.parse(template.content),
    category: WhatsappCategory.parse(template.category),
    // Words of Meta's that are newer than this program are no approval.
    status: WhatsappTemplateStatus.catch('DISABLED').parse(template.status),
    audience: await loadAudience(db, scope, draft),
    failover: draft.smsFailover ? await loadSmsBranch(db, scope, draft) : undefined,
  }
}

export async function findNumber(db: Db, scope: Scope, id: string): Promise<NumberRow | undefined> {
  return db
    .selectFrom('senders')
    .select(['id', 'name', 'headers', 'rate_per_second', 'is_active', 'provider_account_id', 'facts'])
    .where(ofOrganization(scope))
    .where('id', '=', id)
    .where('channel', '=', 'whatsapp')
    .executeTakeFirst()
}

/** By Meta's own ids; without one of a number, the account's first that is on. */
export async function findNumberOf(
  db: Db,
  scope: Scope,
  { wabaId, phoneNumberId }: { wabaId: string; phoneNumberId: string | undefined },
): Promise<NumberRow | undefined> {
  return db
    .selectFrom('senders')
    .innerJoin('provider_accounts as account', (join) =>
      join
        .onRef('account.organization_id', '=', 'senders.organization_id')
        .onRef('account.id', '=', 'senders.provider_account_id'),
    )
    .select([
      'senders.id',
      'senders.name',
      'headers',
      'rate_per_second',
      'is_active',
      'provider_account_id',
      'senders.facts',
    ])
    .where(ofOrganization(scope, 'senders.organization_id'))
    .where('senders.channel', '=', 'whatsapp')
    .where('account.external_id', '=', wabaId)
    .$if(phoneNumberId !== undefined, (query) => query.where('senders.external_id', '=', phoneNumberId ?? ''))
    .orderBy('is_active', 'desc')
    .orderBy('senders.created_at')
    .executeTakeFirst()
}

export async function findWhatsappTemplate(db: Db, scope: Scope, id: string): Promise<WhatsappTemplateRow | undefined> {
  return db
    .selectFrom('templates')
    .selectAll()
    .where(ofOrganization(scope))
    .where('id', '=', id)
    .where('channel', '=', 'whatsapp')
    .executeTakeFirst()
}

import type { CampaignDraft } from '@carillon/contract/campaign-records'
import { SmsCategory } from '@carillon/contract/templates'
import type { FailoverCondition, WhatsappDraft } from '@carillon/contract/whatsapp-campaigns'
import { FailureClass } from '@carillon/contract/campaign-records'
import type { Db } from '../../../db/pool.ts'
import type { Scope } from '../../../db/scope.ts'
import { badField, notFound } from '../../../lib/problem.ts'
import { SmsContent, type TemplateRow } from '../../templates/index.ts'
import type { Entrance } from './campaign-plan.ts'
import { loadTemplate } from '../checks/estimate.ts'
import { findSmsAccount, type SmsAccountRow } from '../drafts/sms-account.ts'

/** The SMS that takes over where another channel does not reach. */
export type SmsBranch = {
  account: SmsAccountRow
  template: TemplateRow
  content: SmsContent
  category: SmsCategory
  sources: CampaignDraft['variables']
  entrance: Entrance
}

type Named = Pick<WhatsappDraft, 'smsAccountId' | 'smsTemplate' | 'smsCustomParams' | 'smsFailoverConditions'>

export async function loadSmsBranch(db: Db, scope: Scope, draft: Named): Promise<SmsBranch> {
  if (!draft.smsAccountId) throw badField('smsAccountId', 'Choose the SMS account that takes over')
  if (!draft.smsTemplate) throw badField('smsTemplate', 'Choose the SMS template that takes over')
  if (draft.smsFailoverConditions.length === 0) throw badField('smsFailoverConditions', 'Choose when SMS takes over')
  const account = await findSmsAccount(db, { organizationId: scope.organizationId, id: draft.smsAccountId })
  if (!account) throw notFound('SMS account')
  const template = await loadTemplate(db, scope, { templateId: draft.smsTemplate })
  return {
    account,
    template,
    content: SmsContent.parse(template.content),
    category: SmsCategory.parse(template.category),
    sources: draft.smsCustomParams,
    entrance: entranceOf(draft.smsFailoverConditions),
  }
}

/** What ends a message without its having been tried is no failure that another channel could mend. */
const notTried: readonly FailureClass[] = ['opted_out', 'campaign_expired', 'missing_variable', 'recently_messaged']

const reasonsOf: Record<FailoverCondition['type'], readonly string[]> = {
  not_reachable_on_channel: ['number_unreachable', 'invalid_number'],
  provider_rejected: ['operator_rejected', 'content_blocked', 'bad_request', 'sender_rejected', 'media_failed'],
  failed: FailureClass.options.filter((reason) => !notTried.includes(reason)),
  undelivered_after: ['not_delivered_in_time'],
  unread_after: ['not_delivered_in_time'],
  frequency_capped: ['user_marketing_cap'],
  template_unavailable: ['template_paused', 'template_disabled', 'template_missing_locale', 'template_params'],
  no_consent_on_channel: ['opted_out'],
}

/** The conditions as the engine knows them; of two times the shorter counts. */
export function entranceOf(conditions: readonly FailoverCondition[]): Entrance {
  const timed = conditions.filter(({ type }) => type === 'undelivered_after' || type === 'unread_after')
  const isRead = timed.some(({ type }) => type === 'unread_after')
  for (const { afterSeconds } of timed)
    if (afterSeconds === undefined) throw badField('smsFailoverConditions', 'Say after which time SMS takes over')
  return {
    reasons: [...new Set(conditions.flatMap(({ type }) => reasonsOf[type]))],
    afterSeconds: timed.length > 0 ? Math.min(...timed.map(({ afterSeconds = 0 }) => afterSeconds)) : null,
    unless: isRead ? 'read' : 'delivered',
  }
}

import type { SmsTemplateStatus } from '@carillon/contract/channels/sms/sms-templates'
import { defineView, optionalChoiceParam } from '../../../lib/url-state.ts'

const statuses = ['draft', 'approved', 'rejected', 'disabled'] as const satisfies readonly SmsTemplateStatus[]

/** The part of the list's URL state that other screens link to, without the contract's schemas. */
export const smsTemplatesLink = defineView({ status: optionalChoiceParam('f', statuses) })

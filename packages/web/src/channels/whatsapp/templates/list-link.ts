import type { WhatsappTemplateStatus } from '@carillon/contract/channels/whatsapp/whatsapp-templates'
import { defineView, optionalChoiceParam } from '../../../lib/url-state.ts'

const statuses = [
  'DRAFT',
  'PENDING',
  'APPROVED',
  'REJECTED',
  'PAUSED',
  'DISABLED',
  'IN_APPEAL',
  'PENDING_DELETION',
  'DELETED',
  'LIMIT_EXCEEDED',
  'ARCHIVED',
] as const satisfies readonly WhatsappTemplateStatus[]

/** The part of the list's URL state that other screens link to, without the contract's schemas. */
export const whatsappTemplatesLink = defineView({ status: optionalChoiceParam('f', statuses) })

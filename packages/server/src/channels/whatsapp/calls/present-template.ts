import {
  WhatsappCategory,
  WhatsappTemplateContent,
  type WhatsappTemplate,
} from '@carillon/contract/channels/whatsapp/whatsapp-templates'
import type { ReviewedRow } from '../../../modules/templates/index.ts'
import { TemplateFacts } from '../review-rules.ts'

export function presentWhatsappTemplate(row: ReviewedRow): WhatsappTemplate {
  const { quality, reason, pausedCount, previousCategory } = row.facts
  return {
    _id: row.id,
    waba_id: row.account_external_id,
    name: row.name,
    language: row.language,
    category: WhatsappCategory.parse(row.category),
    parameterFormat: TemplateFacts.parse(row.facts).parameterFormat,
    components: WhatsappTemplateContent.parse(row.content),
    metaId: row.external_id,
    status: row.status,
    quality,
    ...(reason === undefined ? {} : { reason }),
    ...(row.paused_until ? { pausedUntil: row.paused_until.toISOString() } : {}),
    pausedCount,
    ...(previousCategory === undefined ? {} : { previousCategory: WhatsappCategory.parse(previousCategory) }),
    usedCount: row.used_count,
    pendingCampaigns: row.pending_campaigns,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

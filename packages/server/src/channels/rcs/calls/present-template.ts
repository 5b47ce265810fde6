import {
  RcsCategory,
  RcsTemplateContent,
  RcsTemplateStatus,
  type RcsTemplate,
} from '@carillon/contract/channels/rcs/rcs-templates'
import { z } from 'zod'
import { findProvider } from '../../index.ts'
import type { ReviewedRow } from '../../../modules/templates/index.ts'

/** The part of `templates.content` that is no content of the message. */
const Origin = z.object({ isFromLibrary: z.boolean().default(false) })

export function presentRcsTemplate(row: ReviewedRow): RcsTemplate {
  const { reason } = row.facts
  return {
    ...RcsTemplateContent.parse(row.content),
    ...Origin.parse(row.content),
    _id: row.id,
    botId: row.account_external_id || null,
    botName: row.account_name,
    name: row.name,
    category: RcsCategory.parse(row.category),
    status: RcsTemplateStatus.parse(row.status),
    isReviewed: findProvider(row.account_provider ?? '')?.reviewsTemplates ?? false,
    ...(reason === undefined ? {} : { reason }),
    usedCount: row.used_count,
    pendingCampaigns: row.pending_campaigns,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

import type { TemplateDraft, TemplateReview } from '../../channels/management.ts'
import type { ReviewedRow } from './reviewed-templates.queries.ts'
import type { Submitted } from './write-reviewed-template.ts'

/** Submits a template to its provider for review: as a new one, or as a change of an existing one. */
export async function submitTemplate(
  manage: { templateReview: TemplateReview },
  template: TemplateDraft,
  row: ReviewedRow | undefined,
): Promise<Submitted> {
  const known = row && row.status !== 'DELETED' ? row.external_id : null
  if (known === null) {
    const { id, status, category } = await manage.templateReview.create(template)
    return { externalId: id, status, category }
  }
  await manage.templateReview.edit(known, template)
  return { externalId: known, status: 'PENDING', category: template.category }
}

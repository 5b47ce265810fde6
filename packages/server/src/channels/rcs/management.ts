import type { RcsCategory, RcsTemplateContent } from '@carillon/contract/channels/rcs/rcs-templates'
import type { ManagedFile, Reviewed, TemplateReview } from '../management.ts'

/** A template as its operator reviews it. RCS templates have no language. */
export type RcsTemplateDraft = {
  name: string
  language: ''
  category: RcsCategory
  content: RcsTemplateContent
  /** Our own files by the URLs that the content names. */
  files?: ReadonlyMap<string, ManagedFile>
}

export type RcsTemplateReview = TemplateReview<RcsTemplateDraft>
export type ReviewedRcsTemplate = Reviewed<RcsTemplateDraft>

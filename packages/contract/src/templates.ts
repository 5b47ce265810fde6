import { z } from 'zod'
import { Id } from './common.ts'

/** Fields that the templates of every channel have. */
export const TemplateRecord = z.object({
  _id: Id,
  /** Campaigns that used it. */
  usedCount: z.number(),
  createdAt: z.string(),
  updatedAt: z.string(),
})

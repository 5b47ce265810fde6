import { z } from 'zod'
import { DraftBasics, VariableSource } from '../../campaign-records.ts'
import { Id } from '../../common.ts'

/** Everything the wizard saves while an SMS campaign is a draft. */
export const SmsDraft = DraftBasics.extend({
  smsAccountId: Id.nullable().default(null),
  templateId: Id.nullable().default(null),
  variables: z.array(VariableSource).max(60).default([]),
})
export type SmsDraft = z.infer<typeof SmsDraft>

import type { LineRules } from '../../channels/account-rules.ts'
import type { LineFacts } from '../../channels/management.ts'
import { z } from 'zod'

/** A line that its provider has stopped, or that must not send marketing. */
export const LineTrouble = z.object({
  organizationId: z.string(),
  senderId: z.string(),
  stops: z.enum(['everything', 'marketing']),
})
export type LineTrouble = z.infer<typeof LineTrouble>

const StoredFacts = z.object({ quality: z.string().catch(''), status: z.string().catch('') })

/** What a line's new state stops, compared with the stored one; undefined if it is not worse. */
export function worsened(
  before: unknown,
  now: Pick<LineFacts, 'quality' | 'status'>,
  { isStopped }: LineRules,
): LineTrouble['stops'] | undefined {
  const was = StoredFacts.catch({ quality: '', status: '' }).parse(before)
  if (isStopped(now.status) && !isStopped(was.status)) return 'everything'
  return now.quality === 'red' && was.quality !== 'red' ? 'marketing' : undefined
}

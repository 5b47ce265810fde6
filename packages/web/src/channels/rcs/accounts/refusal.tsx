import type { CallError } from '../../../lib/call.ts'
import { fieldMessages } from '../../../lib/use-api.ts'
import { Notice } from '../../../ui/notice.tsx'

/** Why a form was refused as a whole; errors of fields are shown at the fields. */
export function Refusal({ error }: { error: CallError | null }) {
  if (!error || Object.keys(fieldMessages(error)).length > 0) return null
  return <Notice tone="bad">{error.message}</Notice>
}

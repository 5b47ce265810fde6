import type { ProviderEvent } from '../../provider.ts'
import { rowsOf, stringOf, type Row } from '../../read-json.ts'
import { instantOf } from './json.ts'
import { lineOf } from './webhook-status.ts'

/** People who stop or resume marketing messages of this business. */
export function readPreferences(value: Row): ProviderEvent[] {
  return rowsOf(value['user_preferences']).flatMap((row): ProviderEvent[] => {
    const from = stringOf(row['wa_id']) ?? stringOf(row['user_id'])
    const wish = stringOf(row['value'])
    if (from === undefined || (wish !== 'stop' && wish !== 'resume')) return []
    if ((stringOf(row['category']) ?? 'marketing_messages') !== 'marketing_messages') return []
    return [
      {
        kind: 'preference-change',
        from,
        wantsNone: wish === 'stop',
        at: instantOf(row['timestamp']),
        raw: JSON.stringify(row),
        ...lineOf(value),
      },
    ]
  })
}

import { countOf } from '../../../lib/format.ts'
import { useApi } from '../../../lib/use-api.ts'
import { Notice } from '../../../ui/notice.tsx'

/** Says which template families lose a template that is to be deleted; empty if there are none. */
export function FamiliesAffected({ templateIds }: { templateIds: readonly string[] }) {
  const query = { templates: templateIds.join(','), limit: 3 }
  const { data } = useApi('families.list', { query }, { staleTime: 0, enabled: templateIds.length > 0 })
  if (!data || data.families.length === 0) return null
  const rest = data.pagination.total - data.families.length
  const names = data.families.map(({ name }) => name).join(', ')
  return (
    <Notice tone="care">
      It is removed from {countOf(data.pagination.total, 'template family', 'template families')}: {names}
      {rest > 0 ? ` and ${rest} more` : ''}.
    </Notice>
  )
}

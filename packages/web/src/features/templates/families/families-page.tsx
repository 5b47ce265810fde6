import { mayCall } from '../../../lib/call.ts'
import { useApi } from '../../../lib/use-api.ts'
import { useView } from '../../../lib/use-view.ts'
import { Denied } from '../../../ui/denied.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Page } from '../../../ui/page.tsx'
import { Loading, SkeletonLines } from '../../../ui/skeleton.tsx'
import { familiesView } from './families-view.ts'
import { FamilyBuilder } from './family-builder.tsx'
import { emptyFamily, formOf } from './family-form.ts'
import { FamilyList } from './family-list.tsx'
import { texts } from './texts.ts'

/** Template families: the list, or the builder of one. */
export function FamiliesPage() {
  const [{ mode, openId }] = useView(familiesView)
  if (!mayCall('families.list'))
    return (
      <Page title={texts.title}>
        <Denied />
      </Page>
    )
  if (mode === 'list') return <FamilyList />
  return openId === undefined ? <FamilyBuilder key="new" id={undefined} initial={emptyFamily} /> : <Edit id={openId} />
}

function Edit({ id }: { id: string }) {
  const family = useApi('families.get', { path: { id } }, { staleTime: Infinity })
  if (family.data) return <FamilyBuilder key={id} id={id} initial={formOf(family.data)} />
  return (
    <Page title={texts.title}>
      {family.error ? (
        <Failure error={family.error} onRetry={() => void family.refetch()} />
      ) : (
        <Loading label="Loading the family">
          <SkeletonLines count={8} />
        </Loading>
      )}
    </Page>
  )
}

import { openIdParam, pageParam, pageSizeParam, searchParam } from '../../../lib/list-view.ts'
import { choiceParam, defineView, optionalChoiceParam, type ViewState } from '../../../lib/url-state.ts'

export const familiesView = defineView({
  search: searchParam(),
  ready: optionalChoiceParam('f', ['ready', 'not_ready']),
  page: pageParam(),
  pageSize: pageSizeParam(25),
  /** Whether the open family is edited, or a new one if none is open. */
  mode: choiceParam('v', ['list', 'edit'], 'list'),
  openId: openIdParam(),
})

export type FamiliesView = ViewState<typeof familiesView>

export const familiesPath = 'manage-templates/unified'

export function queryOf({ search, ready, page, pageSize }: FamiliesView) {
  return {
    page,
    limit: pageSize,
    ...(search ? { search } : {}),
    ...(ready ? { ready: ready === 'ready' } : {}),
  }
}

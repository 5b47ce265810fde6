import { Module, Role } from '@carillon/contract/roles'
import { usersLink } from '../../lib/links.ts'
import { openIdParam, pageParam, pageSizeParam, searchParam } from '../../lib/list-view.ts'
import { choiceParam, defineView, type ViewState } from '../../lib/url-state.ts'

export const sorts = ['created', 'name', 'balance', 'active'] as const

/** URL state of a list of accounts. */
export const usersView = defineView({
  search: searchParam(),
  type: choiceParam('y', ['any', ...Role.options], 'any'),
  status: usersLink.status,
  module: choiceParam('m', ['any', ...Module.options], 'any'),
  lowBalance: usersLink.lowBalance,
  sort: choiceParam('s', sorts, 'created'),
  direction: choiceParam('d', ['desc', 'asc'], 'desc'),
  page: pageParam(),
  pageSize: pageSizeParam(10),
  openId: openIdParam(),
})
export type UsersView = ViewState<typeof usersView>

/** Which accounts a screen lists. */
export type Scope = {
  title: string
  noun: string
  /** Roles that can be created here. */
  kinds: readonly Role[]
  /** Listed roles; absent: every role. */
  shown?: string
  /** Only accounts with a separate balance are listed and created here. */
  ownBalance?: true
  create: string
  empty: { title: string; text: string }
}

/** The query of the list call for this view. */
export function queryOf(view: UsersView, scope: Scope) {
  const type = view.type === 'any' ? scope.shown : view.type
  return {
    page: view.page,
    limit: view.pageSize,
    sort: view.sort,
    direction: view.direction,
    ...(type ? { type } : {}),
    ...(scope.ownBalance ? { ownBalance: 'true' as const } : {}),
    ...(view.search ? { search: view.search } : {}),
    ...(view.status === 'any' ? {} : { status: view.status }),
    ...(view.module === 'any' ? {} : { module: view.module }),
    ...(view.lowBalance ? { lowBalance: 'true' as const } : {}),
  }
}

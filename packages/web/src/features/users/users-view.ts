import { AccountStatus } from '@carillon/contract/accounts'
import { Module, Role } from '@carillon/contract/roles'
import {
  choiceParam,
  defineView,
  flagParam,
  idParam,
  numberParam,
  pageParam,
  textParam,
  type ViewState,
} from '../../lib/url-state.ts'

export const sorts = ['created', 'name', 'balance', 'active'] as const

/** URL state of a list of accounts. */
export const usersView = defineView({
  q: textParam(),
  y: choiceParam(['any', ...Role.options], 'any'),
  u: choiceParam(['any', ...AccountStatus.options], 'any'),
  m: choiceParam(['any', ...Module.options], 'any'),
  l: flagParam(),
  s: choiceParam(sorts, 'created'),
  d: choiceParam(['desc', 'asc'], 'desc'),
  p: pageParam(),
  n: numberParam({ fallback: 10, minimum: 10, maximum: 100 }),
  c: idParam(),
})
export type UsersView = ViewState<typeof usersView>

/** Which accounts a screen is about. */
export type Scope = {
  title: string
  noun: string
  /** The kinds that can be made here. */
  kinds: readonly Role[]
  /** Of the kinds shown; absent: every kind. */
  shown?: string
  /** They have a balance of their own: only such are shown and made here. */
  ownBalance?: true
  create: string
  empty: { title: string; text: string }
}

/** The query of the list call that shows this view. */
export function queryOf(view: UsersView, scope: Scope) {
  const type = view.y === 'any' ? scope.shown : view.y
  return {
    page: view.p,
    limit: view.n,
    sort: view.s,
    direction: view.d,
    ...(type ? { type } : {}),
    ...(scope.ownBalance ? { ownBalance: 'true' as const } : {}),
    ...(view.q ? { search: view.q } : {}),
    ...(view.u === 'any' ? {} : { status: view.u }),
    ...(view.m === 'any' ? {} : { module: view.m }),
    ...(view.l ? { lowBalance: 'true' as const } : {}),
  }
}

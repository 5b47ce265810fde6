import type { ApiEnvironment, ApiKeyStatus } from '@carillon/contract/api-key-records'
import { openIdParam, pageParam, pageSizeParam, searchParam } from '../../lib/list-view.ts'
import { webhookLink, type apiTabs } from '../../lib/links.ts'
import { choiceParam, defineView, optionalChoiceParam, type ViewState } from '../../lib/url-state.ts'
import { languages } from './write-call.ts'

export type ApiTab = (typeof apiTabs)[number]

export const keyStatuses = ['active', 'expiring', 'expired', 'deactivated'] as const satisfies readonly ApiKeyStatus[]

export const environments = ['test', 'live'] as const satisfies readonly ApiEnvironment[]

/** URL state of the keys and key configs. */
export const apiKeysView = defineView({
  tab: webhookLink.tab,
  search: searchParam(),
  status: optionalChoiceParam('u', keyStatuses),
  environment: optionalChoiceParam('e', environments),
  page: pageParam(),
  pageSize: pageSizeParam(25),
  openId: openIdParam(),
  /** Of the quickstart, whose key is of the environment above. */
  language: choiceParam('l', languages, 'curl'),
  /** The webhook endpoint whose deliveries are shown, by the state below. */
  endpointId: webhookLink.endpointId,
})
export type ApiKeysView = ViewState<typeof apiKeysView>

/** The query of the list of keys for this view. */
export function keysQueryOf({ page, pageSize, search, status, environment }: ApiKeysView) {
  return {
    page,
    limit: pageSize,
    ...(search ? { search } : {}),
    ...(status ? { status } : {}),
    ...(environment ? { environment } : {}),
  }
}

import { reviewStatuses } from '@carillon/contract/review-statuses'
import { defineView, optionalChoiceParam } from '../../../lib/url-state.ts'

/** The part of the list's URL state that other screens link to, without the contract's schemas. */
export const rcsTemplatesLink = defineView({ status: optionalChoiceParam('f', reviewStatuses) })

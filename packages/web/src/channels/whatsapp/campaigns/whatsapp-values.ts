import type { DraftLeg } from '@carillon/contract/draft-legs'
import type { TemplateValues } from '@carillon/contract/channels/whatsapp/whatsapp-campaigns'
import {
  emptyValues,
  mediaSlotsOf,
  needsPlace,
  placeLabel,
  slotsOf,
  type Slot,
  type TemplateShape,
} from './whatsapp-slots.ts'

/** The values of a leg. Saved ones were validated by the server; a leg that is new to this channel has none. */
export function valuesOf({ values }: Pick<DraftLeg, 'values'>): TemplateValues {
  return isValues(values) ? values : emptyValues
}

function isValues(values: unknown): values is TemplateValues {
  if (typeof values !== 'object' || values === null) return false
  if (!('body' in values && 'urls' in values && 'cards' in values)) return false
  return [values.body, values.urls, values.cards].every((list) => Array.isArray(list))
}

/** Whether the template has variables. */
export function hasValues(template: TemplateShape): boolean {
  return slotsOf(template).length > 0 || mediaSlotsOf(template).length > 0 || needsPlace(template)
}

/** Used columns, each with what it fills. */
export function usedColumns(slots: readonly Slot[], values: TemplateValues): ReadonlyMap<number, string> {
  const used = new Map<number, string>()
  for (const slot of slots) {
    const column = slot.read(values)?.column
    if (column !== undefined) used.set(column, placeLabel(slot))
  }
  const { media } = values
  if (media && 'column' in media) used.set(media.column, 'header')
  return used
}

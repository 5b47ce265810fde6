import type { FailureClass } from '@carillon/contract/campaign-records'

/**
 * Codes of the Indian registry's scrubbing, as operators pass them on in receipts and responses. The operators' lists differ in
 * single codes and agree in the tens; the first range that contains a code gives its class.
 */
const ranges: readonly { from: number; to: number; reason: FailureClass; detail: string }[] = [
  { from: 600, to: 605, reason: 'dlt_entity', detail: 'The entity is unknown to the registry or inactive' },
  { from: 606, to: 609, reason: 'dlt_entity', detail: 'The registry rejected the entity' },
  {
    from: 610,
    to: 613,
    reason: 'dlt_telemarketer',
    detail: 'The telemarketer is unknown to the registry or inactive',
  },
  {
    from: 614,
    to: 618,
    reason: 'dlt_telemarketer',
    detail: 'The chain of entity and telemarketers is missing or not registered',
  },
  { from: 620, to: 620, reason: 'dlt_header', detail: 'The header is not in the registry' },
  { from: 621, to: 622, reason: 'dlt_header', detail: 'The header is inactive or blocked in the registry' },
  { from: 623, to: 623, reason: 'dlt_header', detail: 'The header belongs to another entity' },
  { from: 624, to: 629, reason: 'dlt_header', detail: 'The registry rejected the header' },
  { from: 630, to: 630, reason: 'dlt_template', detail: 'The template is not in the registry' },
  { from: 631, to: 632, reason: 'dlt_template', detail: 'The template is inactive or blocked in the registry' },
  { from: 633, to: 633, reason: 'dlt_template', detail: 'The text does not match the registered template' },
  { from: 634, to: 634, reason: 'dlt_template', detail: 'The template is not registered for this header' },
  { from: 635, to: 635, reason: 'dlt_template', detail: 'A variable is longer than the registry allows' },
  { from: 636, to: 649, reason: 'dlt_template', detail: 'The registry rejected the template' },
  { from: 650, to: 650, reason: 'dnd_blocked', detail: 'The person has blocked messages of this category' },
  { from: 651, to: 651, reason: 'outside_window', detail: 'Promotional messages may not be sent at this hour' },
  { from: 660, to: 660, reason: 'dnd_blocked', detail: 'The person has not given consent' },
  { from: 670, to: 670, reason: 'operator_rejected', detail: 'The registry could not check the message' },
]

/** The meaning of a registry code; undefined for codes of others. Leading zeros are ignored. */
export function findDltCode(code: string): { reason: FailureClass; detail: string } | undefined {
  if (!/^0*6\d\d$/.test(code)) return undefined
  const number = Number(code)
  return ranges.find(({ from, to }) => number >= from && number <= to)
}

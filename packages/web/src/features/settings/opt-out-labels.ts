import type { OptOut, OptOutScope, OptOutSource } from '@carillon/contract/opt-outs'
import { channelList } from '../../channels/index.ts'

const records = channelList.flatMap((entry) => entry.records ?? [])

export function scopeLabel(scope: OptOutScope): string {
  return textsOf(scope)?.label ?? scope
}

export function scopeHelp(scope: OptOutScope): string {
  return textsOf(scope)?.help ?? ''
}

function textsOf(scope: OptOutScope) {
  return recordsOf(scope)?.optOuts.find((own) => own.scope === scope)
}

/** The labels of a scope's channel. */
export function recordsOf(scope: OptOutScope) {
  return records.find(({ optOuts }) => optOuts.some((own) => own.scope === scope))
}

export const sourceLabels: Record<OptOutSource, string> = {
  reply: 'Replied',
  app: records.flatMap(({ appOptOut }) => appOptOut?.label ?? []).join(', '),
  manual: 'Added manually',
  import: 'Imported',
}

type Source = Pick<OptOut, 'source' | 'scope' | 'keyword' | 'addedBy'>

/** Origin of an opt-out: 'Replied STOP', 'Imported by Meera Joshi'. */
export function describeSource({ source, scope, keyword, addedBy }: Source): string {
  if (source === 'reply') return keyword ? `Replied “${keyword}”` : 'Replied'
  if (source === 'app') return recordsOf(scope)?.appOptOut?.text ?? sourceLabels.app
  return addedBy ? `${sourceLabels[source]}, ${addedBy}` : sourceLabels[source]
}

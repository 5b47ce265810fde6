import type { Row } from './objects.ts'
import type { RcsPlace, RcsSuggestion } from './rcs-content.ts'
import { invalid, RbmError } from './rbm-error.ts'
import {
  needExactlyOne,
  needInstant,
  needNumber,
  needRow,
  needText,
  needUrl,
  readList,
  readOneOf,
  readText,
  requireKnown,
} from './reading.ts'

const mostText = 25
const mostPostback = 2048
const mostUrl = 2048

export function readSuggestions(row: Row, { path, most }: { path: string; most: number }): RcsSuggestion[] {
  const suggestions = readList({ row, name: 'suggestions', path }) ?? []
  if (suggestions.length > most)
    throw invalid(`${path}.suggestions`, `must have at most ${most} entries, and has ${suggestions.length}`)
  return suggestions.map((each, index) => readSuggestion(each, `${path}.suggestions[${index}]`))
}

function readSuggestion(row: Row, path: string): RcsSuggestion {
  requireKnown(row, ['reply', 'action'], path)
  const kind = needExactlyOne(row, ['reply', 'action'], path)
  const given = needRow({ row, name: kind, path })
  const at = `${path}.${kind}`
  const label = {
    text: needText({ row: given, name: 'text', path: at }, mostText),
    postbackData: readPostback(given, at, kind === 'reply'),
  }
  if (kind === 'action') return { ...label, ...readAction(given, at) }
  requireKnown(given, ['text', 'postbackData'], at)
  return { kind: 'reply', ...label }
}

function readPostback(row: Row, path: string, isRequired: boolean): string {
  const place = { row, name: 'postbackData', path }
  return (isRequired ? needText(place, mostPostback) : readText(place, mostPostback)) ?? ''
}

type Action = Omit<RcsSuggestion, 'text' | 'postbackData'>

const actions: Record<string, (row: Row, path: string) => Action> = {
  dialAction: readDial,
  openUrlAction: readOpenUrl,
  viewLocationAction: readViewLocation,
  createCalendarEventAction: readCalendar,
  shareLocationAction: () => ({ kind: 'share_location' }),
}

function readAction(row: Row, path: string): Action {
  if (row.composeAction !== undefined)
    throw new RbmError('INVALID_ARGUMENT', 'composeAction is no longer supported', `${path}.composeAction`)
  const names = Object.keys(actions)
  requireKnown(row, ['text', 'postbackData', 'fallbackUrl', ...names], path)
  if (row.fallbackUrl !== undefined) needUrl({ row, name: 'fallbackUrl', path }, { most: mostUrl })
  const name = needExactlyOne(row, names, path)
  const read = actions[name]
  if (!read) throw invalid(path, 'has an unknown action')
  return read(needRow({ row, name, path }), `${path}.${name}`)
}

function readDial(row: Row, path: string): Action {
  const phoneNumber = needText({ row, name: 'phoneNumber', path })
  if (!/^\+[1-9]\d{2,14}$/.test(phoneNumber)) throw invalid(`${path}.phoneNumber`, 'must be in E.164 format')
  return { kind: 'dial', phoneNumber }
}

function readOpenUrl(row: Row, path: string): Action {
  requireKnown(row, ['url', 'application', 'webviewViewMode', 'description'], path)
  const application = readOneOf({ row, name: 'application', path }, ['BROWSER', 'WEBVIEW'])
  const mode = readOneOf({ row, name: 'webviewViewMode', path }, ['FULL', 'HALF', 'TALL'])
  if (application === 'WEBVIEW' && mode === undefined)
    throw invalid(`${path}.webviewViewMode`, 'is required for a webview')
  return { kind: 'url', url: needUrl({ row, name: 'url', path }, { most: mostUrl }) }
}

function readViewLocation(row: Row, path: string): Action {
  requireKnown(row, ['latLong', 'label', 'query'], path)
  if (needExactlyOne(row, ['latLong', 'query'], path) === 'query')
    return { kind: 'view_location', query: needText({ row, name: 'query', path }) }
  const label = readText({ row, name: 'label', path })
  const place = readPlace(needRow({ row, name: 'latLong', path }), `${path}.latLong`)
  return { kind: 'view_location', place: label === undefined ? place : { ...place, label } }
}

export function readPlace(row: Row, path: string): RcsPlace {
  const latitude = needNumber({ row, name: 'latitude', path })
  const longitude = needNumber({ row, name: 'longitude', path })
  if (Math.abs(latitude) > 90) throw invalid(`${path}.latitude`, 'must be between -90 and 90')
  if (Math.abs(longitude) > 180) throw invalid(`${path}.longitude`, 'must be between -180 and 180')
  return { latitude, longitude }
}

function readCalendar(row: Row, path: string): Action {
  const start = needInstant({ row, name: 'startTime', path })
  const end = needInstant({ row, name: 'endTime', path })
  if (end <= start) throw invalid(`${path}.endTime`, 'must be after startTime')
  const description = readText({ row, name: 'description', path }, 500)
  return {
    kind: 'calendar',
    event: {
      title: needText({ row, name: 'title', path }, 100),
      startTime: new Date(start).toISOString(),
      endTime: new Date(end).toISOString(),
      ...(description === undefined ? {} : { description }),
    },
  }
}

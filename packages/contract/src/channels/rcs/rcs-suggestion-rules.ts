import { advice, error, type RcsFinding } from './rcs-findings.ts'
import { rcsLimits } from './rcs-limits.ts'
import { checkVariables } from './rcs-variable-rules.ts'
import type { RcsSuggestion } from './rcs-templates.ts'

/** Replies and actions of a card or message. */
export function checkSuggestions(at: string, suggestions: readonly RcsSuggestion[], maximum: number): RcsFinding[] {
  return [
    ...(suggestions.length > maximum ? [error(at, `At most ${maximum} suggestions`)] : []),
    ...suggestions.flatMap((suggestion, index) => checkSuggestion(`${at}.${index}`, suggestion)),
    ...checkRepeated(at, suggestions),
  ]
}

function checkSuggestion(at: string, suggestion: RcsSuggestion): RcsFinding[] {
  const { text, postbackData } = suggestion
  return [
    ...(text.trim() === '' ? [error(`${at}.text`, 'Enter the label')] : []),
    ...(text.length > rcsLimits.suggestionText
      ? [error(`${at}.text`, `At most ${rcsLimits.suggestionText} characters`)]
      : []),
    ...(text.includes('{{') ? [error(`${at}.text`, 'A label cannot contain variables')] : []),
    ...(postbackData.length > rcsLimits.postback ? [error(`${at}.postbackData`, 'At most 2,048 characters')] : []),
    ...checkAction(at, suggestion),
  ]
}

function checkAction(at: string, suggestion: RcsSuggestion): RcsFinding[] {
  switch (suggestion.type) {
    case 'reply':
    case 'share_location':
      return []
    case 'open_url':
      return checkUrl(at, suggestion)
    case 'dial':
      return /^\+[1-9]\d{6,14}$/.test(suggestion.phoneNumber.replaceAll(/[\s()-]/g, ''))
        ? []
        : [error(`${at}.phoneNumber`, 'Enter the number with its country code, such as +91 98765 43210')]
    case 'view_location':
      return checkPlace(at, suggestion)
    case 'create_calendar_event':
      return checkEvent(at, suggestion)
  }
}

function checkUrl(at: string, { url }: Extract<RcsSuggestion, { type: 'open_url' }>): RcsFinding[] {
  const field = `${at}.url`
  if (url.length > rcsLimits.url) return [error(field, 'At most 2,048 characters')]
  if (!/^https?:\/\/[^\s/]+\S*$/i.test(url.replaceAll(/\{\{[^{}]*\}\}/g, 'x')))
    return [error(field, 'Enter a full URL with https://')]
  if (/^https?:\/\/[^/]*\{\{/i.test(url)) return [error(field, 'A variable can only be in the path or the query')]
  return [
    ...checkVariables(field, url),
    ...(/^http:/i.test(url) ? [advice(field, 'Phones warn about links that are not https')] : []),
  ]
}

function checkPlace(
  at: string,
  { latitude, longitude, query }: Extract<RcsSuggestion, { type: 'view_location' }>,
): RcsFinding[] {
  if (query.trim() !== '') return []
  return latitude === undefined || longitude === undefined
    ? [error(`${at}.latitude`, 'Enter latitude and longitude, or a search')]
    : []
}

function checkEvent(
  at: string,
  { startTime, endTime, title, description }: Extract<RcsSuggestion, { type: 'create_calendar_event' }>,
): RcsFinding[] {
  const [start, end] = [Date.parse(startTime), Date.parse(endTime)]
  return [
    ...(Number.isNaN(start) ? [error(`${at}.startTime`, 'Enter when it starts')] : []),
    ...(Number.isNaN(end) ? [error(`${at}.endTime`, 'Enter when it ends')] : []),
    ...(end <= start ? [error(`${at}.endTime`, 'It must end after it starts')] : []),
    ...(title.trim() === '' ? [error(`${at}.title`, 'Enter the title of the event')] : []),
    ...(title.length > rcsLimits.calendarTitle ? [error(`${at}.title`, 'At most 100 characters')] : []),
    ...(description.length > rcsLimits.calendarDescription
      ? [error(`${at}.description`, 'At most 500 characters')]
      : []),
  ]
}

/** A person's reply is recognised by its postback. */
function checkRepeated(at: string, suggestions: readonly RcsSuggestion[]): RcsFinding[] {
  const seen = new Set<string>()
  for (const [index, { text, postbackData }] of suggestions.entries()) {
    const key = postbackData || text.trim().toLowerCase()
    if (key !== '' && seen.has(key))
      return [
        advice(`${at}.${index}.postbackData`, 'Another suggestion has the same postback: replies cannot be told apart'),
      ]
    seen.add(key)
  }
  return []
}

/** Helpers of the page: DOM nodes, requests, formats. */
export const at = (id) => document.getElementById(id)

export const time = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' })
const day = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'short' })

export function element(name, { className, text, ...attributes }, ...children) {
  const made = document.createElement(name)
  if (className) made.className = className
  if (text !== undefined) made.textContent = text
  for (const [attribute, value] of Object.entries(attributes))
    if (value !== undefined && value !== false) made.setAttribute(attribute, value === true ? '' : String(value))
  made.append(...children)
  return made
}

/** Links as nodes, never as HTML. Links go to the whole address, even if only a part of it is in the range. */
export function withLinks(text, from = 0, to = text.length) {
  const nodes = []
  let done = from
  for (const { index, 0: found } of text.matchAll(/https?:\/\/[^\s<>"]+/g)) {
    const href = found.replace(/[.,;:!?)]+$/, '')
    const [start, end] = [Math.max(index, from), Math.min(index + href.length, to)]
    if (start >= end) continue
    const words = text.slice(start, end)
    nodes.push(
      text.slice(done, start),
      element('a', { text: words, href, target: '_blank', rel: 'noopener noreferrer' }),
    )
    done = end
  }
  return [...nodes, text.slice(done, to)]
}

export function button(options, onClick) {
  const made = element('button', { type: 'button', ...options })
  made.addEventListener('click', onClick)
  return made
}

const strokes = {
  link: 'M14 4h6v6M20 4l-9 9M18 14v5a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V7a1 1 0 0 1 1-1h5',
  reply: 'M9 7l-5 5 5 5M4 12h9a6 6 0 0 1 6 6v1',
  copy: 'M9 9h10v11H9zM5 15V4h10',
  call: 'M6 3h3l2 5-2.5 1.5a11 11 0 0 0 6 6L16 13l5 2v3a2 2 0 0 1-2 2A16 16 0 0 1 4 5a2 2 0 0 1 2-2z',
  list: 'M9 6h11M9 12h11M9 18h11M4.5 6h.01M4.5 12h.01M4.5 18h.01',
  file: 'M13 3H6a1 1 0 0 0-1 1v16a1 1 0 0 0 1 1h12a1 1 0 0 0 1-1V9zM13 3v6h6',
  image: 'M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15 9h.01',
  video: 'M4 6h11v12H4zM15 10l5-3v10l-5-3',
  audio: 'M12 3v10M9 6v4a3 3 0 0 0 6 0V6a3 3 0 0 0-6 0zM6 11a6 6 0 0 0 12 0M12 17v4',
  sticker: 'M20 12a8 8 0 1 0-8 8l8-8zM20 12h-5a3 3 0 0 0-3 3v5',
  document: 'M13 3H6a1 1 0 0 0-1 1v16a1 1 0 0 0 1 1h12a1 1 0 0 0 1-1V9zM13 3v6h6M9 13h6M9 17h6',
  place: 'M12 21s7-6.2 7-11a7 7 0 0 0-14 0c0 4.8 7 11 7 11zM12 12.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM5 20a7 7 0 0 1 14 0',
  smile: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM8.5 14a4.5 4.5 0 0 0 7 0M9 9.5h.01M15 9.5h.01',
  flow: 'M5 4h14v16H5zM9 9h6M9 13h6M9 17h3',
  calendar: 'M4 6h16v14H4zM4 10h16M8 3v5M16 3v5',
  back: 'M15 5l-7 7 7 7',
  next: 'M9 5l7 7-7 7',
}

export function icon(name) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  made.setAttribute('viewBox', '0 0 24 24')
  made.setAttribute('aria-hidden', 'true')
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path')
  path.setAttribute('d', strokes[name] ?? strokes.document)
  made.append(path)
  return made
}

/** Indian numbers in two groups of five, others ungrouped. */
export function pretty(number) {
  const [, country, first, last] = /^(91)(\d{5})(\d{5})$/.exec(number) ?? []
  return country ? `+${country} ${first} ${last}` : `+${number}`
}

export async function read(path) {
  const answer = await fetch(path)
  return answer.ok ? answer.json() : undefined
}

/** The response, or `{ error }` with a text for the user. */
export async function post(path, body) {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })
  const said = await answer.json().catch(() => ({}))
  return answer.ok ? said : { error: said.error ?? 'The simulator rejected it' }
}

/** A list with a date line at the start of each day. */
export function withDays(messages, draw) {
  let before = ''
  return messages.flatMap((message) => {
    const today = day.format(new Date(message.at))
    const line = today === before ? [] : [element('div', { className: 'day', text: today })]
    before = today
    return [...line, draw(message)]
  })
}

/** Updates the children of a node and keeps unchanged ones, so that focus and scroll position are preserved. */
export function settle(parent, nodes) {
  const wanted = new Set(nodes)
  for (const node of Array.from(parent.childNodes)) if (!wanted.has(node)) node.remove()
  for (const [index, node] of nodes.entries())
    if (parent.childNodes[index] !== node) parent.insertBefore(node, parent.childNodes[index] ?? null)
}

/** Whether a thread is scrolled to its end, so that new messages may scroll it on. */
export function isScrolledDown(thread) {
  return thread.scrollHeight - thread.scrollTop - thread.clientHeight < 80
}

/** The bytes of a file in base64. */
export async function toBase64(file) {
  const bytes = new Uint8Array(await file.arrayBuffer())
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}

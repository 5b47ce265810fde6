/** The phones of the simulated world: a list, one open phone, and a person who answers. */
const shown = { number: '', pages: 1, totals: { received: 0, numbers: 0 } }

const at = (id) => document.getElementById(id)
const time = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' })
const day = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'short' })

function element(name, { className, text }, ...children) {
  const made = document.createElement(name)
  if (className) made.className = className
  if (text !== undefined) made.textContent = text
  made.append(...children)
  return made
}

/** Indian numbers as people there write them, others in one piece. */
function pretty(number) {
  const [, country, first, last] = /^(91)(\d{5})(\d{5})$/.exec(number) ?? []
  return country ? `+${country} ${first} ${last}` : `+${number}`
}

async function read(path) {
  const answer = await fetch(path)
  return answer.ok ? answer.json() : undefined
}

async function showNumbers() {
  const query = at('search').value.trim()
  const pages = Array.from({ length: shown.pages }, (_, index) =>
    read(`/api/numbers?page=${index + 1}&query=${encodeURIComponent(query)}`),
  )
  const lists = (await Promise.all(pages)).filter(Boolean)
  const numbers = lists.flatMap((list) => list.numbers)
  const focused = document.activeElement?.dataset?.number
  at('numbers').replaceChildren(
    ...(numbers.length > 0 || query === ''
      ? numbers.map(row)
      : [element('li', { className: 'none', text: `Nothing found for “${query}”` })]),
  )
  if (focused) at('numbers').querySelector(`[data-number="${focused}"]`)?.focus()
  at('more').hidden = (lists[0]?.totalPages ?? 0) <= shown.pages
  at('invitation').textContent =
    numbers.length === 0 && query === '' ? 'No message yet' : 'Pick a phone to read it and answer'
  document.querySelector('.phones').classList.toggle('has-none', numbers.length === 0 && query === '')
}

function row({ number, unread, last }) {
  const count = unread > 0 ? element('span', { className: 'count', text: unread > 99 ? '99+' : String(unread) }) : ''
  const words = `${last.direction === 'replied' ? 'Answered: ' : ''}${last.text}`
  const button = element(
    'button',
    { className: unread > 0 ? 'row unread' : 'row' },
    element('b', { text: pretty(number) }),
    element('time', { text: time.format(new Date(last.at)) }),
    element('span', { className: 'last', text: words }),
    count,
  )
  button.type = 'button'
  button.dataset.number = number
  button.setAttribute('aria-current', String(number === shown.number))
  button.addEventListener('click', () => open(number))
  return element('li', {}, button)
}

function open(number) {
  shown.number = number
  location.hash = number
  at('empty').hidden = number !== ''
  at('phone').hidden = number === ''
  document.querySelector('.phones').classList.toggle('is-open', number !== '')
  note('')
  void showPhone({ isNew: true }).then(showNumbers)
}

async function showPhone({ isNew }) {
  const { number } = shown
  if (number === '') return
  const phone = (await read(`/api/numbers/${number}/messages?read=1`)) ?? { received: 0, messages: [] }
  if (number !== shown.number) return
  const thread = at('thread')
  const isAtEnd = isNew || thread.scrollHeight - thread.scrollTop - thread.clientHeight < 80
  at('number').textContent = pretty(number)
  at('summary').textContent =
    phone.received === 1 ? '1 message received' : `${phone.received.toLocaleString()} messages received`
  thread.replaceChildren(...bubbles(phone.messages))
  showPeers(phone.messages)
  if (isAtEnd) thread.scrollTop = thread.scrollHeight
}

function bubbles(messages) {
  let before = ''
  return messages.flatMap((message) => {
    const today = day.format(new Date(message.at))
    const line = today === before ? [] : [element('div', { className: 'day', text: today })]
    before = today
    return [...line, bubble(message)]
  })
}

function bubble(message) {
  const parts =
    message.parts > 1 ? [' · ', element('span', { className: 'parts', text: `${message.parts} parts` })] : []
  const unicode = message.encoding === 'ucs2' ? ' · Unicode' : ''
  const sender =
    message.direction === 'replied'
      ? element('p', { className: 'sender', text: `to ${message.peer}` })
      : element('p', { className: 'sender' }, element('b', { text: message.peer || 'No sender' }))
  const about = element(
    'p',
    { className: 'about', text: time.format(new Date(message.at)) },
    ...parts,
    unicode,
    ` · ${message.via}`,
  )
  if (message.templateId) about.append(` · template ${message.templateId}`)
  return element(
    'article',
    { className: `message ${message.direction}` },
    sender,
    element('div', { className: 'bubble' }, ...withSeams(message)),
    about,
  )
}

/** A thin mark where one part ends and the next begins. */
function withSeams({ text, parts, encoding }) {
  if (parts < 2) return [text]
  const limit = encoding === 'ucs2' ? 67 : 153
  const pieces = []
  let piece = ''
  let length = 0
  for (const character of text) {
    const size = encoding === 'ucs2' ? character.length : /[\f^{}\\[~\]|€]/.test(character) ? 2 : 1
    if (length + size > limit) {
      pieces.push(piece)
      piece = ''
      length = 0
    }
    piece += character
    length += size
  }
  return [...pieces, piece].flatMap((each, index) => (index === 0 ? [each] : [seam(index), each]))
}

function seam(index) {
  const mark = element('span', { className: 'seam' })
  mark.title = `Part ${index} ends here`
  return mark
}

function showPeers(messages) {
  const select = at('to')
  const peers = [...new Set(messages.map(({ peer }) => peer).filter(Boolean))].reverse()
  if (peers.join() === Array.from(select.options, ({ value }) => value).join()) return
  select.replaceChildren(...peers.map((peer) => new Option(peer, peer)))
}

async function answer(text) {
  const to = at('to').value
  if (text.trim() === '' || to === '') return
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`/api/numbers/${shown.number}/reply`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ to, text }),
  })
  const said = await response.json()
  if (!response.ok) return note(said.error, true)
  note(said.isWaiting ? 'Nobody is connected to receive it; it waits for the next connection.' : '')
  at('text').value = ''
  at('thread').scrollTop = at('thread').scrollHeight
}

function note(text, isBad = false) {
  at('note').textContent = text
  at('note').classList.toggle('bad', isBad)
}

function showTotals({ received, numbers }) {
  at('totals').textContent =
    received === 0 ? '' : `${received.toLocaleString()} received on ${numbers.toLocaleString()}`
}

at('search').addEventListener('input', () => {
  shown.pages = 1
  void showNumbers()
})
at('more').addEventListener('click', () => {
  shown.pages += 1
  void showNumbers()
})
at('back').addEventListener('click', () => open(''))
at('reply').addEventListener('submit', (event) => {
  event.preventDefault()
  void answer(at('text').value)
})
at('text').addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
  event.preventDefault()
  void answer(at('text').value)
})
for (const button of document.querySelectorAll('[data-say]'))
  button.addEventListener('click', () => void answer(button.dataset.say))

const events = new EventSource('/events')
events.addEventListener('message', (event) => {
  const { numbers, totals } = JSON.parse(event.data)
  showTotals(totals)
  void (numbers.includes(shown.number) ? showPhone({ isNew: false }) : Promise.resolve()).then(showNumbers)
})
events.addEventListener('open', () => void showAll())

/** After a pause in the line the page asks for everything once. */
async function showAll() {
  const totals = await read('/api/stats')
  if (totals) showTotals(totals)
  await showPhone({ isNew: false })
  await showNumbers()
}

at('example').textContent =
  `curl -u carillon:simulator ${location.origin}/gateway/send \\\n  -H 'content-type: application/json' \\\n  -d '{"to":"+919812345678","from":"ACMESH","text":"Hello"}'`
if (/^#\d+$/.test(location.hash)) open(location.hash.slice(1))
else void showNumbers()

/** The simulated phones: a list, and one open phone with its conversations, where the user can reply. */
import { at, button, element, pretty, read, time } from './dom.js'
import { listenToSms, noteSms, showSms } from './sms.js'
import { listenToWhatsapp, showWhatsapp } from './whatsapp.js'

const shown = { number: '', thread: '', pages: 1, person: undefined, messages: [] }

let latestList = 0

/** Responses may arrive out of order: only the one of the latest request is shown. */
async function showNumbers() {
  latestList += 1
  const request = latestList
  const query = at('search').value.trim()
  const pages = Array.from({ length: shown.pages }, (_, index) =>
    read(`/api/numbers?page=${index + 1}&query=${encodeURIComponent(query)}`),
  )
  const lists = (await Promise.all(pages)).filter(Boolean)
  if (request !== latestList) return
  drawNumbers(
    lists.flatMap((list) => list.numbers),
    query,
  )
  at('more').hidden = (lists[0]?.totalPages ?? 0) <= shown.pages
}

function drawNumbers(numbers, query) {
  const hasNone = numbers.length === 0 && query === ''
  const focused = document.activeElement?.dataset?.number
  at('numbers').replaceChildren(...(numbers.length > 0 || hasNone ? numbers.map(row) : [nothingFound(query)]))
  if (focused) at('numbers').querySelector(`[data-number="${focused}"]`)?.focus()
  at('invitation').textContent = hasNone ? 'No message yet' : 'Select a phone to read and reply'
  document.querySelector('.phones').classList.toggle('has-none', hasNone)
}

/** A number that has received nothing can be opened too: a person may send the first message. */
function nothingFound(query) {
  const digits = query.replaceAll(/\D/g, '')
  const words = element('li', { className: 'none', text: `Nothing found for “${query}”` })
  if (digits.length >= 8)
    words.append(button({ className: 'plain', text: `Open ${pretty(digits)}` }, () => open(digits)))
  return words
}

function row({ number, unread, last }) {
  const count = unread > 0 ? element('span', { className: 'count', text: unread > 99 ? '99+' : String(unread) }) : ''
  const channel = last.channel === 'whatsapp' ? element('i', { className: 'channel', text: 'WhatsApp' }) : ''
  const words = `${last.direction === 'replied' ? 'Reply: ' : ''}${last.text}`
  const made = button(
    {
      className: unread > 0 ? 'row unread' : 'row',
      'data-number': number,
      'aria-current': String(number === shown.number),
    },
    () => open(number),
  )
  made.append(
    element('b', { text: pretty(number) }),
    element('time', { text: time.format(new Date(last.at)) }),
    element('span', { className: 'last' }, channel, words),
    count,
  )
  return element('li', {}, made)
}

function open(number) {
  shown.number = number
  shown.thread = ''
  location.hash = number
  at('empty').hidden = number !== ''
  at('phone').hidden = number === ''
  document.querySelector('.phones').classList.toggle('is-open', number !== '')
  noteSms('')
  void showPhone({ isNew: true }).then(showNumbers)
}

async function showPhone({ isNew }) {
  const { number } = shown
  if (number === '') return
  const [phone, person] = await Promise.all([
    read(`/api/numbers/${number}/messages?read=1`),
    read(`/api/graph/people/${number}`),
  ])
  if (number !== shown.number) return
  const { received, messages } = phone ?? { received: 0, messages: [] }
  at('number').textContent = pretty(number)
  at('summary').textContent = received === 1 ? '1 message received' : `${received.toLocaleString()} messages received`
  Object.assign(shown, { person, messages })
  showThreads()
  showThread(isNew)
}

/** SMS, each business with a WhatsApp conversation, and a way to start others. */
function showThreads() {
  const { messages, person } = shown
  const peers = new Set(messages.filter(({ channel }) => channel === 'whatsapp').map(({ peer }) => peer))
  const last = messages.at(-1)
  if (shown.thread === '') shown.thread = last?.channel === 'whatsapp' ? last.peer : 'sms'
  const known = person?.numbers ?? []
  const inTouch = known.filter(({ id }) => peers.has(id) || id === shown.thread)
  const others = known.filter((each) => !inTouch.includes(each))
  const focused = document.activeElement?.dataset?.thread
  at('threads').replaceChildren(
    threadButton('sms', 'SMS'),
    ...inTouch.map(({ id, name }) => threadButton(id, name)),
    ...(others.length > 0 ? [chatStarter(others)] : []),
  )
  if (focused) at('threads').querySelector(`[data-thread="${focused}"]`)?.focus()
}

function threadButton(thread, name) {
  const label = thread === 'sms' ? name : `WhatsApp with ${name}`
  const options = {
    text: name,
    'aria-label': label,
    'aria-pressed': String(thread === shown.thread),
    'data-thread': thread,
  }
  return button({ className: thread === 'sms' ? '' : 'whatsapp-thread', ...options }, () => openThread(thread))
}

function chatStarter(others) {
  const select = element(
    'select',
    { 'aria-label': 'Write to another business on WhatsApp' },
    new Option('New chat', ''),
    ...others.map(({ id, name, displayPhoneNumber }) => new Option(`${name} · ${displayPhoneNumber}`, id)),
  )
  select.addEventListener('change', () => openThread(select.value))
  return select
}

function openThread(thread) {
  shown.thread = thread
  showThreads()
  showThread(true)
  at('threads').querySelector(`[data-thread="${thread}"]`)?.focus()
}

function showThread(isNew) {
  const isSms = shown.thread === 'sms'
  at('sms').hidden = !isSms
  at('whatsapp').hidden = isSms
  if (isSms) {
    showSms(
      shown.messages.filter(({ channel }) => channel === 'sms'),
      isNew,
    )
    return
  }
  const business = shown.person?.numbers.find(({ id }) => id === shown.thread)
  if (!business) return
  const messages = shown.messages.filter(({ channel, peer }) => channel === 'whatsapp' && peer === shown.thread)
  showWhatsapp({ number: shown.number, person: shown.person, business, messages, isNew })
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
listenToSms(() => shown.number)
listenToWhatsapp(() => showPhone({ isNew: false }))

const events = new EventSource('/events')
events.addEventListener('message', (event) => {
  const { numbers, totals } = JSON.parse(event.data)
  showTotals(totals)
  void (numbers.includes(shown.number) ? showPhone({ isNew: false }) : Promise.resolve()).then(showNumbers)
})
events.addEventListener('open', () => void showAll())

/** Reads everything once after the event stream reconnects. */
async function showAll() {
  const totals = await read('/api/stats')
  if (totals) showTotals(totals)
  await showPhone({ isNew: false })
  await showNumbers()
}

at('example').textContent =
  `curl -u carillon:simulator ${location.origin}/gateway/send \\\n  -H 'content-type: application/json' \\\n  -d '{"to":"+919812345678","from":"ACMESH","text":"Hello"}'`
window.addEventListener('hashchange', () => {
  const number = /^#(\d+)$/.exec(location.hash)?.[1] ?? ''
  if (number !== shown.number) open(number)
})
if (/^#\d+$/.test(location.hash)) open(location.hash.slice(1))
else void showNumbers()
